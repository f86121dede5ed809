// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/stats/block_bootstrap.h"

#include "core/base/random_source.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace inversight {

namespace {

constexpr double kLevel = 0.05;
constexpr std::size_t kResamples = 999;
constexpr std::size_t kFewestInBlock = 50;
constexpr double kBlockNs = 100'000'000;

/// A side's operations, cut into blocks that begin anywhere inside a run.
class BlockSampler {
public:
    explicit BlockSampler(std::span<const LatencySeries* const> runs) : runs_(runs) {
        double span = 0;
        for (const LatencySeries* run : runs) {
            total_ += run->latencies.size();
            span += static_cast<double>(run->spanNs);
        }
        const double in100Ms = span > 0 ? static_cast<double>(total_) * kBlockNs / span : 0;
        length_ = std::max(kFewestInBlock, static_cast<std::size_t>(std::ceil(in100Ms)));
        for (const LatencySeries* run : runs)
            starts_.push_back((starts_.empty() ? 0 : starts_.back()) + startsIn(*run));
    }

    [[nodiscard]] std::size_t blocks() const { return total_ / length_; }

    void draw(RandomSource& random, std::vector<std::int64_t>& sample) const {
        sample.clear();
        while (sample.size() < total_) {
            const std::size_t start = random.upTo(starts_.back() - 1);
            const auto run = static_cast<std::size_t>(
                std::ranges::upper_bound(starts_, start) - starts_.begin());
            const std::size_t place = start - (run == 0 ? 0 : starts_[run - 1]);
            const std::vector<std::int64_t>& all = runs_[run]->latencies;
            const std::size_t count =
                std::min({length_, all.size() - place, total_ - sample.size()});
            const auto begin = all.begin() + static_cast<std::ptrdiff_t>(place);
            sample.insert(sample.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
        }
    }

    [[nodiscard]] std::vector<std::int64_t> everything() const {
        std::vector<std::int64_t> all;
        for (const LatencySeries* run : runs_)
            all.insert(all.end(), run->latencies.begin(), run->latencies.end());
        return all;
    }

private:
    [[nodiscard]] std::size_t startsIn(const LatencySeries& run) const {
        const std::size_t size = run.latencies.size();
        return size > length_ ? size - length_ + 1 : std::min<std::size_t>(size, 1);
    }

    std::span<const LatencySeries* const> runs_;
    std::size_t total_ = 0;
    std::size_t length_ = 0;
    std::vector<std::size_t> starts_; ///< places a block may begin at, up to and with each run
};

/// With k blocks a variance is estimated from k values: what is missing to it and to the tails of a
/// normal distribution (Student's 97.5 % quantile, Cornish and Fisher's first terms).
double widening(std::size_t blocks) {
    constexpr double kNormal = 1.959964;
    const double k = static_cast<double>(blocks);
    const double freedom = k - 1;
    const double cubed = kNormal * kNormal * kNormal;
    const double student = kNormal + (cubed + kNormal) / (4 * freedom);
    return std::sqrt(k / freedom) * student / kNormal;
}

BootstrapFinding judge(double difference, std::vector<double> resampled, double factor) {
    const double middle = std::accumulate(resampled.begin(), resampled.end(), 0.0) /
                          static_cast<double>(resampled.size());
    for (double& value : resampled)
        value = (value - middle) * factor;
    std::ranges::sort(resampled);
    const auto as = std::ranges::count_if(resampled, [difference](double value) {
        return std::abs(value) >= std::abs(difference);
    });
    const auto quantile = [&](double part) {
        return resampled[static_cast<std::size_t>(
            std::lround(part * static_cast<double>(resampled.size() - 1)))];
    };
    return {.p = static_cast<double>(as + 1) / static_cast<double>(resampled.size() + 1),
            .low = difference - quantile(1 - kLevel / 2),
            .high = difference - quantile(kLevel / 2)};
}

} // namespace

std::optional<std::vector<BootstrapFinding>>
bootstrapBlocks(const ThreadSamples& samples, std::span<const LatencyMetric> metrics,
                std::uint64_t seed, std::uint64_t stream) {
    const BlockSampler before(samples.before);
    const BlockSampler after(samples.after);
    const std::size_t blocks = std::min(before.blocks(), after.blocks());
    if (blocks < kFewestBlocks)
        return std::nullopt;
    RandomSource random(seed, stream);
    std::vector<std::vector<double>> differences(metrics.size());
    std::vector<std::int64_t> left;
    std::vector<std::int64_t> right;
    for (std::size_t i = 0; i < kResamples; ++i) {
        before.draw(random, left);
        after.draw(random, right);
        for (std::size_t metric = 0; metric < metrics.size(); ++metric)
            differences[metric].push_back(latencyMetric(right, metrics[metric]) -
                                          latencyMetric(left, metrics[metric]));
    }
    std::vector<BootstrapFinding> findings;
    for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
        const double observed = latencyMetric(after.everything(), metrics[metric]) -
                                latencyMetric(before.everything(), metrics[metric]);
        findings.push_back(judge(observed, std::move(differences[metric]), widening(blocks)));
    }
    return findings;
}

} // namespace inversight
