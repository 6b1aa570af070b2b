#include "exporter/compat/compat_page.h"

namespace ascend {

std::shared_ptr<const std::string> CompatPage::Text() {
  MutexLock lock(mutex_);
  std::shared_ptr<const Snapshot> snapshot = store_.Load();
  if (text_ != nullptr && snapshot == shown_) return text_;
  const Values values = snapshot == nullptr ? Values() : Values(snapshot->values);
  const auto layout = snapshot == nullptr ? nullptr : snapshot->layout;
  if (!plan_ || layout != layout_ || !plan_->Fits(values)) {
    plan_.emplace(layout == nullptr ? std::vector<SourceSeries>() : SourceOf(*layout), values,
                  options_);
    layout_ = layout;
  }
  auto text = std::make_shared<std::string>();
  if (text_ != nullptr) text->reserve(text_->capacity());
  plan_->Encode(values, *text);
  shown_ = std::move(snapshot);
  text_ = std::move(text);
  return text_;
}

}  // namespace ascend
