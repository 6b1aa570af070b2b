#include "exporter/page/page_cache.h"

#include "exporter/page/encoder.h"

namespace ascend {

std::shared_ptr<const std::string> PageCache::Text() {
  std::shared_ptr<const Snapshot> snapshot = store_.Load();
  if (text_ != nullptr && snapshot != nullptr && snapshot == shown_) return text_;
  auto text = std::make_shared<std::string>();
  if (snapshot != nullptr) EncodeText(*snapshot, *text);
  own_.EncodeText(*text);
  text->shrink_to_fit();  // it had room for the longest page that could be
  shown_ = std::move(snapshot);
  text_ = std::move(text);
  return text_;
}

}  // namespace ascend
