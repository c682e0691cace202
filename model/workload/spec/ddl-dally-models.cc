// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-dally-models.h"

#include <cmath>
#include <string>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr uint64_t WEIGHT_BYTES = 4; //!< bytes of a weight, in single precision
constexpr uint32_t CLASSES = 1000;   //!< classes of ImageNet

/** The convolutions and dense layers of a network, in the order of the forward pass. */
class Architecture
{
  public:
    /**
     * Add a convolution of side x side kernels.
     *
     * \param image side of its output image
     * \param groups number of groups of channels that are convolved separately; 1: an ordinary
     *        convolution; as many as channels: depthwise
     */
    void Convolve(const std::string& name,
                  uint64_t from,
                  uint64_t to,
                  uint64_t side,
                  uint64_t image,
                  uint64_t groups = 1)
    {
        const uint64_t weights = from / groups * to * side * side;
        m_layers.push_back({name, weights, weights * image * image});
    }

    /** Add a dense layer. */
    void Connect(const std::string& name, uint64_t from, uint64_t to)
    {
        m_layers.push_back({name, from * to, from * to});
    }

    /**
     * \param forward, backward times of the passes
     * \param first fraction of the backward pass in the first layer; 0: by its multiplications
     * \return the layers, with times in proportion to multiplications
     */
    LayerTable MakeTable(Time forward, Time backward, double first) const
    {
        std::vector<Layer> table;
        for (const auto& layer : m_layers)
        {
            const Time time = NanoSeconds(layer.multiplications); // only the proportions count
            table.push_back({layer.name, layer.weights * WEIGHT_BYTES, time, time});
        }
        if (first > 0)
        {
            const LayerTable whole(table);
            const double others = (whole.GetBackward() - table[0].backward).GetDouble();
            table[0].backward = TimeStep(std::llround(others * first / (1 - first)));
        }
        const LayerTable proportions(std::move(table));
        return proportions.WithSums(proportions.GetBytes(), forward, backward);
    }

  private:
    struct Entry
    {
        std::string name;
        uint64_t weights;
        uint64_t multiplications; //!< multiplications per sample
    };

    std::vector<Entry> m_layers;
};

/** \return VGG11 (Simonyan and Zisserman 2015, configuration A) */
Architecture
MakeVgg11()
{
    Architecture net;
    net.Convolve("conv1", 3, 64, 3, 224);
    net.Convolve("conv2", 64, 128, 3, 112);
    net.Convolve("conv3", 128, 256, 3, 56);
    net.Convolve("conv4", 256, 256, 3, 56);
    net.Convolve("conv5", 256, 512, 3, 28);
    net.Convolve("conv6", 512, 512, 3, 28);
    net.Convolve("conv7", 512, 512, 3, 14);
    net.Convolve("conv8", 512, 512, 3, 14);
    net.Connect("fc1", 512 * 7 * 7, 4096);
    net.Connect("fc2", 4096, 4096);
    net.Connect("fc3", 4096, CLASSES);
    return net;
}

/** \return AlexNet (Krizhevsky 2014, one column) */
Architecture
MakeAlexNet()
{
    Architecture net;
    net.Convolve("conv1", 3, 64, 11, 55);
    net.Convolve("conv2", 64, 192, 5, 27);
    net.Convolve("conv3", 192, 384, 3, 13);
    net.Convolve("conv4", 384, 256, 3, 13);
    net.Convolve("conv5", 256, 256, 3, 13);
    net.Connect("fc1", 256 * 6 * 6, 4096);
    net.Connect("fc2", 4096, 4096);
    net.Connect("fc3", 4096, CLASSES);
    return net;
}

/** \return MobileNetV3-Small (Howard et al. 2019, Table 2) */
Architecture
MakeMobileNetV3()
{
    struct Bottleneck
    {
        uint64_t side;     //!< side of the depthwise kernels
        uint64_t expanded; //!< expanded channels
        uint64_t to;       //!< output channels
        uint64_t squeeze;  //!< channels of squeeze-and-excite; 0: none
        uint64_t image;    //!< side of the image after the depthwise convolution
    };

    const std::vector<Bottleneck> blocks = {{3, 16, 16, 8, 56},
                                            {3, 72, 24, 0, 28},
                                            {3, 88, 24, 0, 28},
                                            {5, 96, 40, 24, 14},
                                            {5, 240, 40, 64, 14},
                                            {5, 240, 40, 64, 14},
                                            {5, 120, 48, 32, 14},
                                            {5, 144, 48, 40, 14},
                                            {5, 288, 96, 72, 7},
                                            {5, 576, 96, 144, 7},
                                            {5, 576, 96, 144, 7}};
    Architecture net;
    net.Convolve("conv1", 3, 16, 3, 112);
    uint64_t from = 16;
    uint64_t image = 112;
    for (std::size_t i = 0; i < blocks.size(); ++i)
    {
        const Bottleneck& block = blocks[i];
        const std::string name = "block" + std::to_string(i + 1) + ".";
        if (block.expanded != from)
        {
            net.Convolve(name + "expand", from, block.expanded, 1, image);
        }
        image = block.image;
        net.Convolve(name + "depthwise",
                     block.expanded,
                     block.expanded,
                     block.side,
                     image,
                     block.expanded);
        if (block.squeeze > 0)
        {
            net.Connect(name + "squeeze", block.expanded, block.squeeze);
            net.Connect(name + "excite", block.squeeze, block.expanded);
        }
        net.Convolve(name + "project", block.expanded, block.to, 1, image);
        from = block.to;
    }
    net.Convolve("conv2", from, 576, 1, image);
    net.Connect("fc1", 576, 1024);
    net.Connect("fc2", 1024, CLASSES);
    return net;
}

/** Builds a residual network: its first convolution, then its four stages. */
class ResNet
{
  public:
    /** \param blocks number of blocks of each stage */
    explicit ResNet(std::vector<uint32_t> blocks)
        : m_blocks(std::move(blocks))
    {
        m_net.Convolve("conv1", 3, 64, 7, 112);
    }

    /** \return the network with blocks of two convolutions of 3 x 3 */
    Architecture MakeBasic()
    {
        Walk([this](const std::string& name, uint64_t width, uint64_t before, uint64_t after) {
            m_net.Convolve(name + "conv1", m_from, width, 3, after);
            m_net.Convolve(name + "conv2", width, width, 3, after);
            AddShortcut(name, width, before, after);
        });
        return m_net;
    }

    /** \return the network with blocks of 1 x 1, 3 x 3 and 1 x 1 convolutions, the last one four
     * times as wide; the 3 x 3 halves the image */
    Architecture MakeBottleneck()
    {
        Walk([this](const std::string& name, uint64_t width, uint64_t before, uint64_t after) {
            m_net.Convolve(name + "conv1", m_from, width, 1, before);
            m_net.Convolve(name + "conv2", width, width, 3, after);
            m_net.Convolve(name + "conv3", width, 4 * width, 1, after);
            AddShortcut(name, 4 * width, before, after);
        });
        return m_net;
    }

  private:
    template <typename Block>
    void Walk(Block&& addBlock)
    {
        uint64_t image = 56;
        uint64_t width = 64;
        for (std::size_t stage = 0; stage < m_blocks.size(); ++stage)
        {
            for (uint32_t block = 0; block < m_blocks[stage]; ++block)
            {
                const bool halves = stage > 0 && block == 0;
                const uint64_t after = halves ? image / 2 : image;
                addBlock("stage" + std::to_string(stage + 1) + "." + std::to_string(block + 1) +
                             ".",
                         width,
                         image,
                         after);
                image = after;
            }
            width *= 2;
        }
        m_net.Connect("fc", m_from, CLASSES);
    }

    /** Add a 1 x 1 convolution if a block changes the channels or the image. */
    void AddShortcut(const std::string& name, uint64_t to, uint64_t before, uint64_t after)
    {
        if (m_from != to || before != after)
        {
            m_net.Convolve(name + "shortcut", m_from, to, 1, after);
        }
        m_from = to;
    }

    Architecture m_net;
    std::vector<uint32_t> m_blocks;
    uint64_t m_from{64}; //!< channels before the next block
};

/** \return 66 dense layers of BERT-large (Devlin et al. 2019): of eleven encoders, without the
 * first query, and the output for question answering */
Architecture
MakeBertLarge()
{
    constexpr uint64_t WIDTH = 1024;
    constexpr uint32_t ENCODERS = 11;
    Architecture net;
    for (uint32_t i = 1; i <= ENCODERS; ++i)
    {
        const std::string name = "encoder" + std::to_string(i) + ".";
        for (const char* part : {"query", "key", "value", "attention"})
        {
            if (i > 1 || part != std::string("query"))
            {
                net.Connect(name + part, WIDTH, WIDTH);
            }
        }
        net.Connect(name + "intermediate", WIDTH, 4 * WIDTH);
        net.Connect(name + "output", 4 * WIDTH, WIDTH);
    }
    net.Connect("answer", WIDTH, 2);
    return net;
}

/** The authors' profile of a model as a whole. */
struct Profile
{
    double microseconds; //!< compute time of an iteration, scaled, microseconds
    double forward;      //!< fraction of the iteration in the forward pass
    double first;        //!< fraction of the backward pass in the first layer; 0: not needed
};

ModelProfile
MakeProfile(const std::string& name, const Architecture& net, const Profile& profile)
{
    ModelProfile model;
    model.name = "Dally-" + name;
    model.source = "Dally Table I";
    const auto nanoseconds = [](double us) { return NanoSeconds(std::llround(us * 1e3)); };
    SetLayers(model,
              net.MakeTable(nanoseconds(profile.microseconds * profile.forward),
                            nanoseconds(profile.microseconds * (1 - profile.forward)),
                            profile.first));
    return model;
}

} // namespace

std::vector<ModelProfile>
MakeDallyModels()
{
    return {MakeProfile("AlexNet", MakeAlexNet(), {1207, 0.303, 0.320}),
            MakeProfile("BERT-large", MakeBertLarge(), {1711, 0.304, 0}),
            MakeProfile("MobileNetV3", MakeMobileNetV3(), {63.3, 0.074, 0.184}),
            MakeProfile("ResNet18", ResNet({2, 2, 2, 2}).MakeBasic(), {180, 0.214, 0.233}),
            MakeProfile("ResNet50", ResNet({3, 4, 6, 3}).MakeBottleneck(), {11823, 0.228, 0.033}),
            MakeProfile("VGG11", MakeVgg11(), {3837, 0.313, 0.102})};
}

} // namespace ns3::ddl
