// Saves in memory as values. weft.hpp is the manual.
#ifndef WEFT_SAVED_HPP
#define WEFT_SAVED_HPP

#include <cstddef>
#include <span>
#include <utility>

#include "weft.h"

namespace weft
{

// A save in memory, which gives the memory back to the hooks of the world that made it.
class saved
{
  public:
    saved() = default;
    saved(weft_memory hooks, weft_status status, void *bytes, std::size_t size)
        : hooks_(hooks), bytes_(bytes), size_(size), status_(status)
    {
    }
    saved(saved &&other) noexcept
    {
        *this = std::move(other);
    }
    saved &operator=(saved &&other) noexcept
    {
        if (this == &other) return *this;
        free();
        hooks_ = other.hooks_;
        bytes_ = std::exchange(other.bytes_, nullptr);
        size_ = std::exchange(other.size_, 0u);
        status_ = std::exchange(other.status_, WEFT_NOT_FOUND);
        return *this;
    }
    saved(const saved &) = delete;
    saved &operator=(const saved &) = delete;
    ~saved()
    {
        free();
    }

    explicit operator bool() const
    {
        return status_ == WEFT_OK;
    }
    weft_status status() const
    {
        return status_;
    } // WEFT_NOT_FOUND if nothing was saved here
    const void *data() const
    {
        return bytes_;
    }
    std::size_t size() const
    {
        return size_;
    }
    std::span<const std::byte> bytes() const
    {
        return {static_cast<const std::byte *>(bytes_), size_};
    }

  private:
    void free()
    {
        if (bytes_ != nullptr) hooks_.free_(hooks_.user, bytes_, size_);
    }

    weft_memory hooks_ = {};
    void *bytes_ = nullptr;
    std::size_t size_ = 0;
    weft_status status_ = WEFT_NOT_FOUND;
};

} // namespace weft

#endif
