// Verdicts of VAMP's Panda on rows of a file: one row a call, and eight rows side by side.
//
//     vamp ROWS BOXES VERDICTS
//
// ROWS has seven values a row, BOXES centre and half extents of each box, both in single precision.
// Writes a byte for each row, 1 if it collides, and prints nanoseconds a row of both ways, the best of
// rounds of 4,096 rows. Eight rows in one call have one verdict together, so only rows that are free by
// the first way are timed by the second.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string_view>
#include <vector>

#include <vamp/vector.hh>
#include <vamp/collision/factory.hh>
#include <vamp/robots/panda.hh>

using Panda = vamp::robots::Panda;
constexpr std::size_t lanes = vamp::FloatVectorWidth;
using Lane = vamp::FloatVector<lanes, 1>;
constexpr std::size_t round_size = 4096;

std::vector<float> numbers(const char *path) {
  std::vector<float> all;
  std::FILE *file = std::fopen(path, "rb");
  for (float number; file && std::fread(&number, sizeof number, 1, file) == 1;) all.push_back(number);
  if (file) std::fclose(file);
  return all;
}

// Returns nanoseconds a row of the fastest round; `check` gets the first row of each call.
template <typename Check>
double best_round(std::size_t count, std::size_t step, Check check) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t start = 0; start + round_size <= count; start += round_size) {
    const auto from = std::chrono::steady_clock::now();
    for (std::size_t row = start; row < start + round_size; row += step) check(row);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - from;
    best = std::min(best, time.count() / round_size);
  }
  return best;
}

int main(int count, char **names) {
  if (count != 4) return 2;
  const auto rows = numbers(names[1]), boxes = numbers(names[2]);
  vamp::collision::Environment<float> world;
  for (std::size_t at = 0; at + 6 <= boxes.size(); at += 6) {
    const float *b = &boxes[at];
    world.z_aligned_cuboids.push_back(
        vamp::collision::factory::cuboid::flat(b[0], b[1], b[2], 0, 0, 0, b[3], b[4], b[5]));
  }
  world.sort();
  const vamp::collision::Environment<vamp::FloatVector<lanes>> lane_world(world);
  const std::size_t all = rows.size() / Panda::dimension;
  std::vector<unsigned char> collides(all);
  const double single = best_round(all, 1, [&](std::size_t row) {
    Panda::ConfigurationBlock<lanes> block;
    for (std::size_t j = 0; j < Panda::dimension; ++j) block[j] = Lane::fill(rows[row * Panda::dimension + j]);
    collides[row] = !Panda::fkcc<lanes>(lane_world, block);
  });
  std::vector<std::size_t> free_rows;
  for (std::size_t row = 0; row < all; ++row)
    if (!collides[row]) free_rows.push_back(row);
  std::size_t wrong = 0;
  const double together = best_round(free_rows.size(), lanes, [&](std::size_t first) {
    Panda::ConfigurationBlock<lanes> block;
    for (std::size_t j = 0; j < Panda::dimension; ++j) {
      alignas(64) float values[lanes];
      for (std::size_t i = 0; i < lanes; ++i) values[i] = rows[free_rows[first + i] * Panda::dimension + j];
      block[j] = Lane(values);
    }
    wrong += !Panda::fkcc<lanes>(lane_world, block);
  });
  if (wrong > 0) return 1;
  std::FILE *file = std::fopen(names[3], "wb");
  if (!file || std::fwrite(collides.data(), 1, all, file) != all || std::fclose(file) != 0) return 1;
  std::printf("%.1f %.1f\n", single, together);
}
