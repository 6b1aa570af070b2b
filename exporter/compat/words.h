// A text in the languages of the documents.
#pragma once

#include <string_view>

#include "exporter/settings/settings.h"

namespace ascend {

struct Words {
  std::string_view english{}, chinese{};

  [[nodiscard]] constexpr std::string_view in(Language language) const {
    return language == Language::kEnglish ? english : chinese;
  }
};

}  // namespace ascend
