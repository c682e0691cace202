// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GENERATED_COJOBS_H
#define DDL_GENERATED_COJOBS_H

#include "ddl-arrival-process.h"
#include "ddl-cojob-source.h"
#include "ddl-generator-spec.h"

#include "ns3/random-variable-stream.h"

#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * Cojobs, or plain jobs, that are drawn from the seed by a GeneratorSpec.
 *
 * Cojob i is the same in each simulation with the same seed, whatever a scheduler does and whenever
 * it arrives: its model, its jobs and their curves depend on i and the seed only. With successors,
 * and M models, cojob i is the successor of cojob i - M.
 */
class GeneratedCojobs : public CojobSource
{
  public:
    /** The size, and perhaps the model, of one plain job. */
    struct DealtSize
    {
        uint32_t workers;
        std::optional<std::size_t> model; //!< index of its model; none: models in turn
    };

    /** \param spec the workload, with at least one model and one cojob or job */
    explicit GeneratedCojobs(const GeneratorSpec& spec);

    std::optional<CojobSpec> Next() override;
    std::optional<CojobSpec> NextAfter(const CojobSpec& cojob, Time now) override;

  private:
    CojobSpec Make(uint32_t index, Time submit) const;
    JobSpec MakeJob(uint32_t group, const GeneratorModel& model, JobId id) const;
    uint32_t ChooseUser(uint32_t index) const;
    uint32_t FindOriginal(uint32_t index) const;
    uint32_t CountSearch(uint32_t index) const;
    double DrawWeight(JobId job) const;
    const GeneratorModel& ChooseModel(uint32_t index) const;
    uint32_t ChooseWorkers(uint32_t index) const;
    uint32_t CountJobsBefore(uint32_t index) const;
    uint64_t DrawIterations(uint32_t index, const JobSpec& job) const;

    GeneratorSpec m_spec;
    std::vector<CojobShape> m_shapes;
    std::vector<DealtSize> m_deck;    //!< sizes of plain jobs, shuffled; used again and again
    std::vector<uint32_t> m_searches; //!< jobs per search, shuffled; empty: by the shape
    Ptr<ArrivalProcess> m_arrivals;
    uint32_t m_arriving{0}; //!< number of cojobs that are not successors
    uint32_t m_next{0};     //!< index of the next of those
    Time m_last;            //!< time of the last arrival, at load 1
};

/** \return a group for each combination of number of jobs, number of workers and model */
std::vector<CojobSpec> ListDemands(const GeneratorSpec& spec);

} // namespace ns3::ddl

#endif // DDL_GENERATED_COJOBS_H
