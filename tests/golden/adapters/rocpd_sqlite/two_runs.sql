-- Three recordings that state no rank: two of one host, which share its devices, and one of another.
PRAGMA page_size = 512;
CREATE TABLE rocpd_string_a (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string_a VALUES (1, 'HIP_RUNTIME_API'), (2, 'hipLaunchKernel');
CREATE TABLE rocpd_info_node_a (id INTEGER PRIMARY KEY, hostname TEXT);
INSERT INTO rocpd_info_node_a VALUES (1, 'node1');
CREATE TABLE rocpd_info_process_a (id INTEGER PRIMARY KEY, pid INTEGER, environment TEXT, extdata TEXT);
INSERT INTO rocpd_info_process_a VALUES (100, 100, '{}', '{"kernel_trace": true}');
CREATE TABLE rocpd_info_agent_a (id INTEGER PRIMARY KEY, type TEXT, absolute_index INTEGER, name TEXT);
INSERT INTO rocpd_info_agent_a VALUES (4, 'GPU', 4, 'gfx90a'), (5, 'GPU', 5, 'gfx90a');
CREATE TABLE rocpd_info_kernel_symbol_a (id INTEGER PRIMARY KEY, display_name TEXT);
INSERT INTO rocpd_info_kernel_symbol_a VALUES (1, 'kernel of 100');
CREATE TABLE rocpd_event_a (id INTEGER PRIMARY KEY, category_id INTEGER, stack_id INTEGER, extdata TEXT);
INSERT INTO rocpd_event_a VALUES (1, 1, 1, '{}');
CREATE TABLE rocpd_region_a (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, end INTEGER,
  name_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_region_a VALUES (1, 100, 100, 1000, 1000 + 100, 2, 1);
CREATE TABLE rocpd_kernel_dispatch_a (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, agent_id INTEGER,
  kernel_id INTEGER, stream_id INTEGER, start INTEGER, end INTEGER, event_id INTEGER);
INSERT INTO rocpd_kernel_dispatch_a VALUES (1, 100, 100, 4, 1, 0, 1000 + 200, 1000 + 900, 1);
CREATE TABLE rocpd_string_b (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string_b VALUES (1, 'HIP_RUNTIME_API'), (2, 'hipLaunchKernel');
CREATE TABLE rocpd_info_node_b (id INTEGER PRIMARY KEY, hostname TEXT);
INSERT INTO rocpd_info_node_b VALUES (1, 'node1');
CREATE TABLE rocpd_info_process_b (id INTEGER PRIMARY KEY, pid INTEGER, environment TEXT, extdata TEXT);
INSERT INTO rocpd_info_process_b VALUES (200, 200, '{}', '{"kernel_trace": true}');
CREATE TABLE rocpd_info_agent_b (id INTEGER PRIMARY KEY, type TEXT, absolute_index INTEGER, name TEXT);
INSERT INTO rocpd_info_agent_b VALUES (4, 'GPU', 4, 'gfx90a'), (5, 'GPU', 5, 'gfx90a');
CREATE TABLE rocpd_info_kernel_symbol_b (id INTEGER PRIMARY KEY, display_name TEXT);
INSERT INTO rocpd_info_kernel_symbol_b VALUES (1, 'kernel of 200');
CREATE TABLE rocpd_event_b (id INTEGER PRIMARY KEY, category_id INTEGER, stack_id INTEGER, extdata TEXT);
INSERT INTO rocpd_event_b VALUES (1, 1, 1, '{}');
CREATE TABLE rocpd_region_b (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, end INTEGER,
  name_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_region_b VALUES (1, 200, 200, 1500, 1500 + 100, 2, 1);
CREATE TABLE rocpd_kernel_dispatch_b (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, agent_id INTEGER,
  kernel_id INTEGER, stream_id INTEGER, start INTEGER, end INTEGER, event_id INTEGER);
INSERT INTO rocpd_kernel_dispatch_b VALUES (1, 200, 200, 4, 1, 0, 1500 + 200, 1500 + 900, 1);
CREATE TABLE rocpd_string_c (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string_c VALUES (1, 'HIP_RUNTIME_API'), (2, 'hipLaunchKernel');
CREATE TABLE rocpd_info_node_c (id INTEGER PRIMARY KEY, hostname TEXT);
INSERT INTO rocpd_info_node_c VALUES (1, 'node2');
CREATE TABLE rocpd_info_process_c (id INTEGER PRIMARY KEY, pid INTEGER, environment TEXT, extdata TEXT);
INSERT INTO rocpd_info_process_c VALUES (300, 300, '{}', '{"kernel_trace": true}');
CREATE TABLE rocpd_info_agent_c (id INTEGER PRIMARY KEY, type TEXT, absolute_index INTEGER, name TEXT);
INSERT INTO rocpd_info_agent_c VALUES (4, 'GPU', 4, 'gfx90a'), (5, 'GPU', 5, 'gfx90a');
CREATE TABLE rocpd_info_kernel_symbol_c (id INTEGER PRIMARY KEY, display_name TEXT);
INSERT INTO rocpd_info_kernel_symbol_c VALUES (1, 'kernel of 300');
CREATE TABLE rocpd_event_c (id INTEGER PRIMARY KEY, category_id INTEGER, stack_id INTEGER, extdata TEXT);
INSERT INTO rocpd_event_c VALUES (1, 1, 1, '{}');
CREATE TABLE rocpd_region_c (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, end INTEGER,
  name_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_region_c VALUES (1, 300, 300, 1000, 1000 + 100, 2, 1);
CREATE TABLE rocpd_kernel_dispatch_c (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, agent_id INTEGER,
  kernel_id INTEGER, stream_id INTEGER, start INTEGER, end INTEGER, event_id INTEGER);
INSERT INTO rocpd_kernel_dispatch_c VALUES (1, 300, 300, 4, 1, 0, 1000 + 200, 1000 + 900, 1);
