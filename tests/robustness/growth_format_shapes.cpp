// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

#include <stdexcept>

#include "tests/robustness/growth_shapes.hpp"
#include "tests/robustness/growth_text.hpp"

namespace kdiag::growth {
namespace {

std::string number(std::size_t i) { return std::to_string(i); }

/// A text of a head and one line for each of n things.
template <class Line>
std::string lines(std::string head, std::size_t n, Line line) {
  for (std::size_t i = 0; i < n; ++i) head += line(i) + "\n";
  return head;
}

Shape shape(std::string name, std::size_t size, std::string (*text)(std::size_t n), std::string file = "input") {
  return {.name = std::move(name),
          .prepare = [text, file](std::size_t n) { return diagnosis_of(file, text(n)); },
          .size = size};
}

// --- Telemetry ----------------------------------------------------------------------------------------------------

std::string two_digits(std::size_t i) { return (i < 10 ? "0" : "") + number(i); }

/// "2024/01/01 00:00:00.000" and so many tenths of a second.
std::string instant(std::size_t tenths) {
  const std::size_t seconds = tenths / 10;
  return "2024/01/" + two_digits(1 + seconds / 86400 % 28) + " " + two_digits(seconds / 3600 % 24) + ":" +
         two_digits(seconds / 60 % 60) + ":" + two_digits(seconds % 60) + "." + number(tenths % 10) + "00";
}

std::string telemetry_rows(std::size_t n) {
  return lines("timestamp, index, clocks.sm [MHz], power.draw [W], clocks_event_reasons.active\n", n,
               [](std::size_t i) {
                 return instant(i) + ", 0, " + number(1000 + i % 400) + " MHz, " + number(100 + i % 300) + " W, 0x" +
                        number(i % 10);
               });
}

std::string telemetry_values(std::size_t n) {
  return lines("timestamp, index, power.draw [W]\n", n,
               [](std::size_t i) { return instant(i) + ", 0, " + number(100 + i) + "." + number(i % 100) + " W"; });
}

std::string telemetry_devices(std::size_t n) {
  return lines("timestamp, index, clocks.sm [MHz], power.draw [W]\n", 2 * n,
               [n](std::size_t i) { return instant(i / n) + ", " + number(i % n) + ", 1410 MHz, 300 W"; });
}

std::string telemetry_at_one_instant(std::size_t n) {
  return lines("timestamp, index, clocks.sm [MHz]\n", n,
               [](std::size_t i) { return instant(0) + ", 0, " + number(1000 + i % 400) + " MHz"; });
}

std::string csv_columns(std::size_t n) {
  std::string head = "timestamp, index, power.draw [W]", row = instant(0) + ", 0, 100 W";
  for (std::size_t i = 0; i < n; ++i) {
    head += ", column." + number(i);
    row += ", 1";
  }
  return head + "\n" + row + "\n" + row + "\n";
}

std::string csv_cell(std::size_t n) {
  return "timestamp, index, name, power.draw [W]\n" + instant(0) + ", 0, " + std::string(n, 'x') + ", 100 W\n";
}

std::string prometheus_series(std::size_t n) {
  return lines("# HELP DCGM_FI_DEV_SM_CLOCK SM clock frequency (in MHz).\n", n, [](std::size_t i) {
    return "DCGM_FI_DEV_SM_CLOCK{gpu=\"" + number(i) + "\",UUID=\"GPU-" + number(i) + "\",Hostname=\"n\"} 1410";
  });
}

// --- Trace events -------------------------------------------------------------------------------------------------

/// Ranges of one thread that begin in an order and end in the same one, as asynchronous work does.
std::string interleaved_ranges(std::size_t n) {
  std::string out = "[\n";
  for (std::size_t i = 0; i < n; ++i)
    out += R"({"ph":"B","pid":1,"tid":1,"name":"r)" + number(i) + R"(","ts":)" + number(i) + "},\n";
  for (std::size_t i = 0; i < n; ++i)
    out += R"({"ph":"E","pid":1,"tid":1,"name":"r)" + number(i) + R"(","ts":)" + number(n + i) + "},\n";
  return out + R"({"ph":"X","pid":1,"tid":1,"name":"x","ts":0,"dur":1}])";
}

std::string nested_ranges(std::size_t n) {
  std::string out = "[\n";
  for (std::size_t i = 0; i < n; ++i)
    out += R"({"ph":"B","pid":1,"tid":1,"name":"r)" + number(i) + R"(","ts":)" + number(i) + "},\n";
  for (std::size_t i = 0; i < n; ++i)
    out += R"({"ph":"E","pid":1,"tid":1,"name":"r)" + number(n - 1 - i) + R"(","ts":)" + number(n + i) + "},\n";
  return out + R"({"ph":"X","pid":1,"tid":1,"name":"x","ts":0,"dur":1}])";
}

std::string rows_of_threads(std::size_t n) {
  std::string out = "[\n";
  for (std::size_t i = 0; i < n; ++i)
    out += R"({"ph":"X","pid":)" + number(i) + R"(,"tid":)" + number(i) + R"(,"name":"r","ts":)" + number(i) +
           R"(,"dur":2},)" + "\n" + R"({"ph":"M","pid":)" + number(i) + R"(,"name":"process_name","args":{"name":"p)" +
           number(i) + "\"}},\n";
  return out + R"({"ph":"X","pid":1,"tid":1,"name":"x","ts":0,"dur":1}])";
}

std::string deep_json(std::size_t n) {
  Trace trace;
  trace.kernel(0, 1);
  trace.raw(R"("ph":"X","cat":"cpu_op","name":"x","pid":1,"tid":1,"ts":1,"dur":1,"args":{"a":)" + std::string(n, '[') +
            std::string(n, ']') + "}");
  return trace.take();
}

std::string long_name(std::size_t n) {
  Trace trace;
  trace.kernel(0, 1, std::string(n, 'x'));
  trace.kernel(5, 1, std::string(n, '<'));
  return trace.take();
}

std::string long_templates(std::size_t n) {
  Trace trace;
  std::string name = "void kernel<";
  for (std::size_t i = 0; i < n; ++i) name += "Type<" + number(i) + ", ";
  for (std::size_t i = 0; i < 20; ++i) trace.kernel(5.0 * static_cast<double>(i), 1, name + number(i));
  return trace.take();
}

// --- Facts files ----------------------------------------------------------------------------------------------------

constexpr const char* facts_head = "{\"schema\": \"kdiag.facts/1\", \"writer\": \"growth\"}\n";

std::string runs_in_one_file(std::size_t n) {
  return lines(facts_head, n, [](std::size_t i) {
    return R"({"run":{"label":"r)" + number(i) + "\"}}\n" +
           R"({"table":"kernels","columns":["name","start","dur"],"rows":[["k",0,10],["k",20,10]]})";
  });
}

std::string ranks(std::size_t n) {
  std::string out = facts_head;
  out += R"({"table":"ranks","columns":["id"],"rows":[)";
  for (std::size_t i = 0; i < n; ++i) out += (i > 0 ? ",[" : "[") + number(i) + "]";
  out +=
      "]}\n"
      R"({"table":"devices","columns":["id","rank"],"rows":[)";
  for (std::size_t i = 0; i < n; ++i) out += (i > 0 ? ",[0," : "[0,") + number(i) + "]";
  out +=
      "]}\n"
      R"({"table":"kernels","columns":["name","start","dur","device"],"rows":[)";
  for (std::size_t i = 0; i < n; ++i) out += (i > 0 ? R"(,["k",)" : R"(["k",)") + number(i) + ",10," + number(i) + "]";
  return out + "]}\n";
}

std::string notes(std::size_t n) {
  return lines(facts_head, n, [](std::size_t i) {
    return R"({"table":"notes","columns":["id","severity","text","count"],"rows":[["X)" + number(i) +
           R"(","warning","text )" + number(i) + R"(",1]]})";
  });
}

std::string pieces_of_tables(std::size_t n) {
  return lines(facts_head, n, [](std::size_t i) {
    return R"({"table":"kernels","columns":["name","start","dur"],"rows":[["k)" + number(i % 10) + "\"," +
           number(10 * i) + ",5]]}";
  });
}

std::string unknown_tables(std::size_t n) {
  return lines(std::string(facts_head) + R"({"table":"kernels","columns":["name","dur"],"rows":[["k",5]]})" + "\n", n,
               [](std::size_t i) { return R"({"table":"t)" + number(i) + R"(","columns":["a"],"rows":[[1]]})"; });
}

std::string broken_lines(std::size_t n) {
  return lines(std::string(facts_head) + R"({"table":"kernels","columns":["name","dur"],"rows":[["k",5]]})" + "\n", n,
               [](std::size_t i) { return "{broken " + number(i); });
}

std::string function_cycles(std::size_t n) {
  return lines(
      "cycle,pid,hostname,beta_pct,function_name,metric_name,device,func_type,mu_pct,sigma_pct,duration,"
      "interpolation_status,anchor_name,anchor_dur_us,cycle_start_ts,instances_count,simple_name\n",
      n, [](std::size_t i) {
        return number(i / 10 + 1) + ",1,n,2.0,f" + number(i % 10) + ",N/A,GPU 0,gpu_compute,1,0,20.0,**,run," +
               number(1000 + i % 7) + "," + number(1762935807026558 + 1000 * (i / 10)) + ",4,f";
      });
}

std::string function_names(std::size_t n) {
  return lines(
      "cycle,pid,hostname,beta_pct,function_name,metric_name,device,func_type,mu_pct,sigma_pct,duration,"
      "interpolation_status,anchor_name,anchor_dur_us,cycle_start_ts,instances_count,simple_name\n",
      n, [](std::size_t i) {
        return number(i % 4 + 1) + ",1,n,2.0,f" + number(i / 4) + ",N/A,GPU 0,gpu_compute,1,0,20.0,**,run,1000," +
               number(1762935807026558 + 1000 * (i % 4)) + ",4,f";
      });
}

// --- Databases and archives -----------------------------------------------------------------------------------------

class Database {
 public:
  Database() {
    if (sqlite3_open(":memory:", &handle_) != SQLITE_OK) throw std::runtime_error("no database");
  }
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  void run(const std::string& statement) {
    if (sqlite3_exec(handle_, statement.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      throw std::runtime_error(sqlite3_errmsg(handle_));
  }
  std::string bytes() {
    sqlite3_int64 size = 0;
    unsigned char* data = sqlite3_serialize(handle_, "main", &size, 0);
    std::string out(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
    sqlite3_free(data);
    return out;
  }

 private:
  sqlite3* handle_ = nullptr;
};

/// An export of Nsight Systems with so many kernels of so many names.
std::string nsys_database(std::size_t kernels, std::size_t names) {
  Database database;
  database.run("BEGIN");
  database.run("CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT)");
  database.run(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
      "streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER, "
      "gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER)");
  for (std::size_t i = 0; i < names; ++i)
    database.run("INSERT INTO StringIds VALUES(" + number(i) + ",'kernel_" + number(i) + "')");
  for (std::size_t i = 0; i < kernels; ++i)
    database.run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(" + number(1000 * i) + "," + number(1000 * i + 500) +
                 ",0,1,7," + number(i) + ",0," + number(i % names) + "," + number(i % names) + ",1,1,1,1,1,1)");
  database.run("COMMIT");
  return database.bytes();
}

std::string database_rows(std::size_t n) { return nsys_database(n, 10); }
std::string database_strings(std::size_t n) { return nsys_database(n, n); }
std::string database_tables(std::size_t n) {
  Database database;
  database.run("CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT)");
  database.run("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER)");
  database.run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(0,5,0)");
  for (std::size_t i = 0; i < n; ++i) database.run("CREATE TABLE t" + number(i) + "(a INTEGER)");
  return database.bytes();
}

/// A tar archive of files that are made one by one.
class Archive {
 public:
  void add(const std::string& name, const std::string& content) {
    std::string header(512, '\0');
    const auto put = [&header](std::size_t at, const std::string& text) { header.replace(at, text.size(), text); };
    put(0, name);
    put(100, "0000644");
    put(108, "0000000");
    put(116, "0000000");
    put(124, octal(content.size(), 11));
    put(136, octal(0, 11));
    put(148, "        ");
    put(156, "0");
    put(257, "ustar");
    put(263, "00");
    std::size_t sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    put(148, octal(sum, 6) + '\0');
    bytes_ += header + content + std::string((512 - content.size() % 512) % 512, '\0');
  }
  std::string take() { return bytes_ + std::string(1024, '\0'); }

 private:
  static std::string octal(std::size_t value, std::size_t digits) {
    std::string out(digits, '0');
    for (std::size_t at = digits; value > 0; value /= 8) out[--at] = static_cast<char>('0' + value % 8);
    return out;
  }

  std::string bytes_;
};

std::string archive_of(std::size_t n, std::string (*member)(std::size_t i)) {
  Archive archive;
  for (std::size_t i = 0; i < n; ++i) archive.add("folder/f" + number(i) + ".json", member(i));
  return archive.take();
}

std::string empty_members(std::size_t n) {
  return archive_of(n, [](std::size_t) { return std::string(R"({"traceEvents":[]})"); });
}
std::string trace_members(std::size_t n) {
  return archive_of(n, [](std::size_t i) {
    Trace trace;
    trace.kernel(10 * static_cast<double>(i), 5);
    trace.kernel(10 * static_cast<double>(i) + 7, 1);
    return trace.take();
  });
}
std::string rank_members(std::size_t n) {
  return archive_of(n, [](std::size_t i) {
    Trace trace;
    trace.kernel(static_cast<double>(i), 5);
    std::string text = trace.take();
    return R"({"distributedInfo":{"rank":)" + number(i) + R"(,"world_size":100000},)" + text.substr(1);
  });
}
std::string text_members(std::size_t n) {
  Archive archive;
  archive.add("trace.json", long_name(5));
  for (std::size_t i = 0; i < n; ++i) archive.add("readme" + number(i) + ".txt", "no trace");
  return archive.take();
}

}  // namespace

std::vector<Shape> format_shapes() {
  return {
      shape("telemetry: rows", 2000, telemetry_rows),
      shape("telemetry: values", 2000, telemetry_values),
      shape("telemetry: devices", 200, telemetry_devices),
      shape("telemetry: rows of one instant", 2000, telemetry_at_one_instant),
      shape("telemetry: series of Prometheus", 200, prometheus_series),
      shape("CSV columns", 4000, csv_columns),
      shape("a long CSV cell", 100000, csv_cell),
      shape("trace events: ranges that interleave", 4000, interleaved_ranges),
      shape("trace events: ranges that nest", 4000, nested_ranges),
      shape("trace events: rows", 2000, rows_of_threads),
      shape("deep JSON", 100000, deep_json),
      shape("a long name", 100000, long_name),
      shape("long template names", 2000, long_templates),
      shape("facts: runs in one file", 50, runs_in_one_file),
      shape("facts: ranks", 200, ranks),
      shape("facts: notes", 2000, notes),
      shape("facts: pieces of tables", 2000, pieces_of_tables),
      shape("facts: tables that are not known", 4000, unknown_tables),
      shape("facts: broken lines", 4000, broken_lines),
      shape("functions: cycles", 4000, function_cycles),
      shape("functions: names", 2000, function_names),
      shape("database: rows", 4000, database_rows),
      shape("database: strings", 4000, database_strings),
      shape("database: tables", 200, database_tables),
      shape("archive: members without events", 100, empty_members, "many.tar"),
      shape("archive: traces", 50, trace_members, "many.tar"),
      shape("archive: ranks", 50, rank_members, "many.tar"),
      shape("archive: other files", 500, text_members, "many.tar"),
  };
}

}  // namespace kdiag::growth
