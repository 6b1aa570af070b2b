// Fills plain structs from the pairs of a block: one row of a table for each key.
#pragma once

#include <cmath>
#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hal/npu_smi/cells.h"
#include "hal/npu_smi/key_values.h"

namespace ascend::npu_smi {

// A key of the tool and the member of T that has its number. Keys are matched exactly: the tool has
// "DDR Capacity(MB)" and "Total DDR Capacity(MB)", which are different numbers.
template <class T>
struct NumberField {
  std::string_view key;
  std::optional<double> T::*member;
};
template <class T>
struct TextField {
  std::string_view key;
  std::string T::*member;
};

// "41", "71.7"; nothing for "NA" and whatever else is no decimal number. Exact below 2^53.
inline std::optional<double> NumberOf(std::optional<std::string_view> value) {
  return value ? ParseWhole<double>(*value) : std::nullopt;
}

// Several keys may have one member: the first that has a number is taken.
template <class T>
void FillNumbers(const Block& block, std::span<const NumberField<T>> fields, T& into) {
  for (const NumberField<T>& field : fields) {
    std::optional<double>& member = into.*field.member;
    if (!member) member = NumberOf(block.Find(field.key));
  }
}

template <class T>
void FillTexts(const Block& block, std::span<const TextField<T>> fields, T& into) {
  for (const TextField<T>& field : fields) {
    if (const auto text = block.Find(field.key)) into.*field.member = *text;
  }
}

// Whether the block has any of the keys, with or without a value.
template <class Field>
bool HasAny(const Block& block, std::span<const Field> fields) {
  for (const Field& field : fields) {
    if (block.Has(field.key)) return true;
  }
  return false;
}

}  // namespace ascend::npu_smi
