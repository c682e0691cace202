// SPDX-License-Identifier: GPL-2.0-only
// Solves Grouper's LP-Primal (Eq. 13 to 16) exactly for the instances that ddl-lp-instances writes,
// checks that bound <= LP optimum <= sum SCT of each order, and prints how far the orders are from
// it. Links GLPK, which is GPL-3, and nothing of ns-3 or of the module.
//
// Of the constraints (15), one for each port and set of stages, only violated ones are added: for
// given S, the most violated set of a port is a prefix of its stages in the order of S (Queyranne
// 1993), so a round that adds none has solved the whole program.
#include <algorithm>
#include <glpk.h>
#include <iostream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace
{

constexpr double TOLERANCE = 1e-7; // of relative violation

struct Instance
{
    int id{0};
    int ports{0};
    std::vector<int> predecessor;                       // -1: none
    std::vector<std::vector<double>> load;              // [stage][port]
    double bounds[2]{0, 0};                             // w = 1, literal line 10
    std::vector<std::pair<std::string, double>> orders; // name, sum SCT
};

bool
Read(std::istream& in, Instance& instance)
{
    std::string word;
    std::size_t stages = 0;
    if (!(in >> word) || word != "instance" || !(in >> instance.id >> instance.ports >> stages))
    {
        return false;
    }
    while (in >> word && word != "end")
    {
        if (word == "stage")
        {
            int predecessor = 0;
            int loads = 0;
            in >> predecessor >> loads;
            instance.predecessor.push_back(predecessor);
            instance.load.emplace_back(instance.ports, 0.0);
            for (int i = 0; i < loads; ++i)
            {
                int port = 0;
                in >> port;
                in >> instance.load.back().at(port);
            }
        }
        else if (word == "bound")
        {
            in >> instance.bounds[0] >> instance.bounds[1];
        }
        else if (word == "order")
        {
            std::string name;
            double sum = 0;
            in >> name >> sum;
            instance.orders.emplace_back(name, sum);
        }
    }
    return in && instance.load.size() == stages;
}

/** LP-Primal, solved by adding what is violated. */
class Program
{
  public:
    explicit Program(const Instance& instance)
        : m_instance(instance),
          m_stages(instance.load.size()),
          m_lp(glp_create_prob())
    {
        glp_set_obj_dir(m_lp, GLP_MIN); // Eq. 13
        glp_add_cols(m_lp, static_cast<int>(m_stages));
        for (std::size_t stage = 0; stage < m_stages; ++stage)
        {
            glp_set_obj_coef(m_lp, Column(stage), 1);
            glp_set_col_bnds(m_lp, Column(stage), GLP_LO, 0, 0);
            AddChain(stage);
        }
    }

    ~Program()
    {
        glp_delete_prob(m_lp);
    }

    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    double Solve()
    {
        glp_smcp options;
        glp_init_smcp(&options);
        options.msg_lev = GLP_MSG_OFF;
        do
        {
            if (glp_simplex(m_lp, &options) != 0 || glp_get_status(m_lp) != GLP_OPT)
            {
                std::cerr << "instance " << m_instance.id << ": the solver failed\n";
                std::exit(1);
            }
        } while (AddViolated());
        return glp_get_obj_val(m_lp);
    }

  private:
    static int Column(std::size_t stage)
    {
        return static_cast<int>(stage) + 1;
    }

    /** sum of factors x S >= least; entry 0 of both vectors is not used, as GLPK wants it */
    void AddRow(const std::vector<int>& columns, const std::vector<double>& factors, double least)
    {
        const int row = glp_add_rows(m_lp, 1);
        glp_set_row_bnds(m_lp, row, GLP_LO, least, 0);
        glp_set_mat_row(m_lp,
                        row,
                        static_cast<int>(columns.size()) - 1,
                        columns.data(),
                        factors.data());
    }

    /** Eq. 14, of all ports the tightest one; S of stage 0 is 0. */
    void AddChain(std::size_t stage)
    {
        const auto& load = m_instance.load[stage];
        const double most = load.empty() ? 0 : *std::max_element(load.begin(), load.end());
        const int before = m_instance.predecessor[stage];
        if (before < 0)
        {
            AddRow({0, Column(stage)}, {0, 1}, most);
        }
        else
        {
            AddRow({0, Column(stage), Column(before)}, {0, 1, -1}, most);
        }
    }

    /** Eq. 15: \return true if a violated constraint was found and added */
    bool AddViolated()
    {
        std::vector<double> s(m_stages);
        for (std::size_t stage = 0; stage < m_stages; ++stage)
        {
            s[stage] = glp_get_col_prim(m_lp, Column(stage));
        }
        std::vector<std::size_t> sorted(m_stages);
        std::iota(sorted.begin(), sorted.end(), 0);
        std::sort(sorted.begin(), sorted.end(), [&s](auto a, auto b) { return s[a] < s[b]; });
        bool added = false;
        for (int port = 0; port < m_instance.ports; ++port)
        {
            added = AddWorstPrefix(port, s, sorted) || added;
        }
        return added;
    }

    bool AddWorstPrefix(int port,
                        const std::vector<double>& s,
                        const std::vector<std::size_t>& sorted)
    {
        double sum = 0;
        double squares = 0;
        double left = 0;
        double worst = 0;
        std::size_t worstEnd = 0;
        for (std::size_t i = 0; i < sorted.size(); ++i)
        {
            const double load = m_instance.load[sorted[i]][port];
            sum += load;
            squares += load * load;
            left += load * s[sorted[i]];
            const double f = 0.5 * (squares + sum * sum); // Eq. 16
            if (f - left > worst + TOLERANCE * f)
            {
                worst = f - left;
                worstEnd = i + 1;
            }
        }
        std::vector<int> columns{0};
        std::vector<double> factors{0};
        sum = squares = 0;
        for (std::size_t i = 0; i < worstEnd; ++i)
        {
            const double load = m_instance.load[sorted[i]][port];
            if (load > 0)
            {
                columns.push_back(Column(sorted[i]));
                factors.push_back(load);
            }
            sum += load;
            squares += load * load;
        }
        if (worstEnd > 0)
        {
            AddRow(columns, factors, 0.5 * (squares + sum * sum));
        }
        return worstEnd > 0;
    }

    const Instance& m_instance;
    std::size_t m_stages;
    glp_prob* m_lp;
};

double
Percentile(const std::vector<double>& sorted, double share)
{
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
}

void
PrintRow(const std::string& name, std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    std::cout << name << "," << values.size() << "," << mean << "," << Percentile(values, 0.5)
              << "," << Percentile(values, 0.9) << "," << Percentile(values, 0.99) << ","
              << values.back() << "\n";
}

} // namespace

int
main()
{
    std::map<std::string, std::vector<double>> ratios;
    int wrong = 0;
    int seen = 0;
    for (Instance instance; Read(std::cin, instance); instance = {})
    {
        ++seen;
        const double optimum = Program(instance).Solve();
        if (optimum <= 0)
        {
            continue; // nothing to move
        }
        const double slack = 1e-6 * optimum;
        const char* names[] = {"bound w=1", "bound line10"};
        for (int i = 0; i < 2; ++i)
        {
            ratios[names[i]].push_back(instance.bounds[i] / optimum);
            if (instance.bounds[i] > optimum + slack)
            {
                std::cerr << "instance " << instance.id << ": " << names[i] << " "
                          << instance.bounds[i] << " is above the optimum " << optimum << "\n";
                ++wrong;
            }
        }
        ratios["bound best"].push_back(std::max(instance.bounds[0], instance.bounds[1]) / optimum);
        double best = instance.orders.empty() ? 0 : instance.orders.front().second;
        for (const auto& [name, sum] : instance.orders)
        {
            best = std::min(best, sum);
            ratios["order " + name].push_back(sum / optimum);
            if (sum < optimum - slack)
            {
                std::cerr << "instance " << instance.id << ": order " << name << " " << sum
                          << " is below the optimum " << optimum << "\n";
                ++wrong;
            }
        }
        for (const auto& [name, sum] : instance.orders)
        {
            ratios["is best " + name].push_back(sum <= best * (1 + 1e-9) ? 1 : 0);
        }
    }
    std::cout << "over LP-Primal,instances,mean,p50,p90,p99,max\n";
    for (const auto& [name, values] : ratios)
    {
        PrintRow(name, values);
    }
    if (seen == 0)
    {
        std::cerr << "no instances on stdin\n";
    }
    return wrong == 0 && seen > 0 ? 0 : 1;
}
