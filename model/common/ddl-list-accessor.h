// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LIST_ACCESSOR_H
#define DDL_LIST_ACCESSOR_H

#include "ns3/attribute-container.h"

#include <vector>

namespace ns3::ddl
{

/**
 * Make an accessor of an attribute whose value is a list: `AttributeContainerValue<A>`.
 *
 * ns-3's own, MakeAttributeContainerAccessor, does not compile for members with ns-3.35.
 *
 * \tparam A attribute value class of one element, such as TimeValue
 * \param member the member variable that holds the list
 * \return the accessor, which reads and writes
 */
template <class A, class T, class U>
Ptr<const AttributeAccessor>
MakeListAccessor(std::vector<U> T::*member)
{
    class Accessor : public AttributeAccessor
    {
      public:
        explicit Accessor(std::vector<U> T::*member)
            : m_member(member)
        {
        }

        bool Set(ObjectBase* object, const AttributeValue& value) const override
        {
            auto* const owner = dynamic_cast<T*>(object);
            const auto* const list = dynamic_cast<const AttributeContainerValue<A>*>(&value);
            if (!owner || !list)
            {
                return false;
            }
            const auto items = list->Get();
            owner->*m_member = std::vector<U>(items.begin(), items.end());
            return true;
        }

        bool Get(const ObjectBase* object, AttributeValue& value) const override
        {
            const auto* const owner = dynamic_cast<const T*>(object);
            auto* const list = dynamic_cast<AttributeContainerValue<A>*>(&value);
            if (!owner || !list)
            {
                return false;
            }
            list->Set(owner->*m_member);
            return true;
        }

        bool HasGetter() const override
        {
            return true;
        }

        bool HasSetter() const override
        {
            return true;
        }

      private:
        std::vector<U> T::*m_member;
    };

    return Ptr<const AttributeAccessor>(new Accessor(member), false);
}

} // namespace ns3::ddl

#endif // DDL_LIST_ACCESSOR_H
