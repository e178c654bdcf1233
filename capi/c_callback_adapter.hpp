// SPDX-License-Identifier: Apache-2.0
// The C interface: a format of the host behind the structs of C.
#pragma once

#include <string>
#include <string_view>

#include <kdiag/host_adapter.hpp>

#include "capi/c_handles.hpp"

namespace kdiag::c_api {

class CallbackAdapter final : public HostAdapter {
 public:
  explicit CallbackAdapter(const kdiag_adapter& adapter);
  std::string_view id() const override { return id_; }
  int sniff(const Head& head) const noexcept override;
  Status read(Input& input, FactSink& sink) const override;

 private:
  kdiag_adapter adapter_;
  std::string id_;
};

}  // namespace kdiag::c_api
