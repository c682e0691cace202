// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LINK_CONTENTION_H
#define DDL_LINK_CONTENTION_H

namespace ns3::ddl
{

/**
 * A job on one link. An iteration computes, and sends from a moment of that on; the next iteration
 * begins when both are over.
 */
struct LinkJob
{
    double compute{0};   //!< seconds of computing in an iteration
    double transfer{0};  //!< seconds of sending in an iteration, alone on the link
    double sendsFrom{1}; //!< part of the computing after which it begins to send, 0 to 1

    /** \return seconds of an iteration alone */
    double GetPeriod() const;
};

/**
 * When does an iteration of a job end that shares its link with a job of strictly higher priority?
 *
 * The higher job began an iteration at time 0, and nobody delays it, so it occupies the link
 * periodically. The lower job sends whenever the link is free.
 */
class SecondOnLink
{
  public:
    SecondOnLink(const LinkJob& first, const LinkJob& second);

    /** \return the time at which an iteration ends that begins then; infinity if the link is never
     * free */
    double GetEnd(double begin) const;

  private:
    double m_period; //!< seconds from one iteration of the first job to the next
    double m_busy;   //!< seconds of each period for which the first job occupies the link
    double m_from;   //!< time of the first job's first sending
    LinkJob m_second;
};

/** What a job loses on a link behind another one that it would not lose before it. */
struct LinkLoss
{
    double rate{0}; //!< seconds of sending lost per second, in the long run
    double once{0}; //!< seconds of sending lost once, if the rate is 0
};

/**
 * Both jobs begin at the same time. The phase at which the second one begins its iterations,
 * relative to the first one, repeats after some iterations; then so does all else, and the rate is
 * exact. If it has not repeated after MOST_ITERATIONS_ON_LINK, as may be where periods have no
 * common multiple, the rate is that of the latter half of them, with an error of at most two
 * iterations in MOST_ITERATIONS_ON_LINK.
 *
 * \param first job of higher priority; it sends in each iteration
 * \param second the other job; it sends in each iteration
 * \return what the second one loses
 */
LinkLoss GetLoss(const LinkJob& first, const LinkJob& second);

constexpr unsigned MOST_ITERATIONS_ON_LINK = 512; //!< most iterations in which GetLoss() looks

/**
 * The correction factor of Crux §4.2: how many seconds of the reference job's sending a second of
 * this job's is worth, if the two are to have equal priority.
 *
 * \param reference the job whose factor is 1
 * \param job another job
 * \return what the job loses behind the reference job over what that loses behind it: rates, or if
 *         both are 0 what they lose once. 1 if nobody loses anything. Kept between 1 /
 *         MOST_CORRECTION and MOST_CORRECTION
 */
double GetCorrection(const LinkJob& reference, const LinkJob& job);

/** Largest factor: a job that never loses anything would make it infinite. */
constexpr double MOST_CORRECTION = 16;

} // namespace ns3::ddl

#endif // DDL_LINK_CONTENTION_H
