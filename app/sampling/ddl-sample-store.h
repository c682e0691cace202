// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SAMPLE_STORE_H
#define DDL_SAMPLE_STORE_H

#include "ddl-sample.h"

#include "ns3/ddl-scenario.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** What a process of a sampled run hands over, besides results of runs. */
struct SamplingHandover
{
    std::vector<SituationShare> shares{}; //!< shares of a timeline
    std::vector<Sample> samples{};        //!< samples that were drawn from it
    std::vector<Sample> probes{};         //!< samples of situations of unknown length on fluids
};

/**
 * The files of a sampled run. In FOLDER/samples, which stays: N.json, sample N as a scenario, and
 * N.result.json, its result. In FOLDER/.sampling, which is removed at the end: a folder for each
 * process that the run has started, with a log and what the process hands over.
 *
 * Results of samples are kept with an identity, and hold for a sample with the same one.
 */
class SampleStore
{
  public:
    /** \param folder folder of the run's results. \param program build of the program */
    SampleStore(std::filesystem::path folder, std::string program);

    /** Make the folder of samples, and an empty temporary one. */
    void Prepare() const;
    /** Remove the temporary folder. */
    void RemoveScratch() const;

    /** \return folder of a process, or the temporary folder itself. \param name name of the process
     */
    std::filesystem::path GetScratch(const std::string& name = "") const;
    /** \return file of a sample's scenario. \param number number of the sample */
    std::filesystem::path GetSample(uint32_t number) const;
    /** \return file of a scenario. \param other number of a further window of the sample, from 0 */
    std::filesystem::path GetOther(uint32_t number, std::size_t other) const;

    /** \return file of a probe's scenario. \param number number of the probe, from 1 */
    std::filesystem::path GetProbe(const std::string& timeline, uint32_t number) const;

    /** Hand over, or take what was. \param name name of the process that hands over */
    void Write(const std::string& name, const SamplingHandover& handover) const;
    SamplingHandover Read(const std::string& name) const;

    /** \return text that two samples have in common if their results are equal */
    std::string Identify(const Sample& sample) const;
    /** Write the result of a sample, with its identity. */
    void Write(uint32_t number, const std::string& identity, const SampleResult& result) const;
    /** Read a result if there is one of that identity. \return false if there is none */
    bool Read(uint32_t number, const std::string& identity, SampleResult& result) const;

    /** Let each scenario stop when its sample on packets ended, and remove those of other runs. */
    void Complete(const std::vector<Sample>& samples) const;

  private:
    std::filesystem::path GetResult(uint32_t number) const;

    std::filesystem::path m_folder;
    std::string m_program;
};

/** Write a scenario to a file. */
void SaveScenario(const std::filesystem::path& file, const Scenario& scenario);

/** \return a scenario that SaveScenario() has written */
Scenario LoadScenario(const std::filesystem::path& file);

} // namespace ns3::ddl

#endif // DDL_SAMPLE_STORE_H
