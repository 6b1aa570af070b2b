// A list of bounded length without pointers, so that a reading that holds it is one value.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace ascend {

// Holds the first N elements that were added; those that come after it is full are dropped.
template <class T, std::size_t N>
class FixedList {
 public:
  // Null if it is full.
  T* Add(const T& element = T()) {
    if (size_ == N) return nullptr;
    items_[size_] = element;
    return &items_[size_++];
  }
  [[nodiscard]] std::span<T> items() { return std::span(items_).first(size_); }
  [[nodiscard]] std::span<const T> items() const { return std::span(items_).first(size_); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return items_[i]; }
  [[nodiscard]] auto begin() const { return items().begin(); }
  [[nodiscard]] auto end() const { return items().end(); }
  friend bool operator==(const FixedList& a, const FixedList& b) {
    return std::ranges::equal(a.items(), b.items());
  }

 private:
  std::size_t size_ = 0;
  std::array<T, N> items_{};
};

}  // namespace ascend
