#include "exporter/page/page_cache.h"

#include "exporter/page/encoder.h"

namespace ascend {

std::shared_ptr<const std::string> PageCache::Text() {
  std::shared_ptr<const Snapshot> snapshot = store_.Load();
  if (text_ != nullptr && snapshot != nullptr && snapshot == shown_) return text_;
  auto text = std::make_shared<std::string>();
  if (text_ != nullptr) text->reserve(text_->capacity());
  if (snapshot != nullptr) EncodeText(*snapshot, *text);
  own_.EncodeText(*text);
  shown_ = std::move(snapshot);
  text_ = std::move(text);
  return text_;
}

}  // namespace ascend
