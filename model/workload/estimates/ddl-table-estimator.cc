// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-estimator.h"

#include "ns3/ddl-policy-source.h"

#include <map>
#include <tuple>

namespace ns3::ddl
{

/**
 * `table`: the mean of what jobs of the same model with as many workers and parameter servers have
 * used; none if there were none.
 */
class TableEstimator : public Estimator
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::TableEstimator")
                                .SetParent<Estimator>()
                                .SetGroupName("Ddl")
                                .AddConstructor<TableEstimator>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "the mean of finished jobs of the same model and size";
    }

  private:
    using Key = std::tuple<std::string, uint32_t, uint32_t>;

    struct Entry
    {
        uint64_t jobs{0};
        JobUsage mean;
    };

    static Key GetKey(const JobSpec& job)
    {
        return {job.model.name, job.workers, job.servers};
    }

    std::optional<JobUsage> DoEstimate(const EstimateQuestion& question) override
    {
        const auto entry = m_entries.find(GetKey(question.job));
        return entry == m_entries.end() ? std::nullopt : std::make_optional(entry->second.mean);
    }

    bool DoLearn(const EstimateQuestion& question, const JobUsage& used) override
    {
        Entry& entry = m_entries[GetKey(question.job)];
        ++entry.jobs;
        for (const JobLabel& label : ListLabels(true))
        {
            double& mean = Get(label.isServer ? entry.mean.server : entry.mean.worker, label.label);
            const double value = Get(label.isServer ? used.server : used.worker, label.label);
            mean += (value - mean) / static_cast<double>(entry.jobs);
        }
        return true;
    }

    std::map<Key, Entry> m_entries;
};

NS_OBJECT_ENSURE_REGISTERED(TableEstimator);
DDL_POLICY_SOURCE(TableEstimator, "", 0, "finished jobs");

} // namespace ns3::ddl
