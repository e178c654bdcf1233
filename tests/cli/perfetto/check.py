# SPDX-License-Identifier: Apache-2.0
"""Holds a Perfetto trace to what its viewer asks for: protoc --decode=Trace trace.proto <TRACE | check.py

Every field is known. Every track has a name and, unless it is a process, a parent that was described before it. Names by
number were written before, on a sequence that was cleared first. On a track time never goes back, each slice ends, and in
the order in which they began. Prints the slices of each category, with the sum of their times in ns."""
import collections
import sys

CLEARED, NEEDS_STATE = 1, 2


def parse(lines):
    """The message of the text format as lists of values by name of field."""
    message = collections.defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            return message
        if line.endswith(" {"):
            message[line[:-2]].append(parse(lines))
        else:
            name, value = line.split(": ", 1)
            message[name].append(value)
    return message


class Checker:
    def __init__(self):
        self.tracks, self.names, self.cleared = {}, set(), False
        self.open, self.last = collections.defaultdict(list), {}
        self.begun, self.sums = collections.Counter(), collections.Counter()
        self.flows_out, self.flows_in = {}, {}

    def describe(self, track):
        uuid, parent = track["uuid"][0], track["parent_uuid"]
        assert uuid not in self.tracks, f"track {uuid} is described twice"
        names = track["name"] + [name for process in track["process"] for name in process["process_name"]]
        assert names and all(name != '""' for name in names), f"track {uuid} has no name"
        assert bool(parent) != bool(track["process"]), f"track {uuid} is neither a process nor below one"
        assert not parent or parent[0] in self.tracks, f"track {uuid} comes before its parent"
        self.tracks[uuid] = names[0]

    def event(self, packet, event):
        track, time, kind = event["track_uuid"][0], int(packet["timestamp"][0]), event["type"][0]
        where = f"{kind} at {time} on {self.tracks.get(track)}"
        assert track in self.tracks, f"{where}: no such track"
        assert time < 1 << 63, f"{where}: a negative time"
        assert time >= self.last.get(track, 0), f"{where}: time goes back"
        self.last[track] = time
        if kind == "SLICE_END":
            assert self.open[track], f"{where}: nothing is open"
            category, begin = self.open[track].pop()
            self.sums[category] += time - begin
            return
        assert event["name"] or event["name_iid"], f"{where}: no name"
        assert all(name in self.names for name in event["name_iid"]), f"{where}: an unknown number of a name"
        assert all(argument["name"] for argument in event["debug_annotations"]), f"{where}: an argument without a name"
        for flow in event["flow_ids"]:
            self.flows_out[flow] = time
        for flow in event["terminating_flow_ids"]:
            self.flows_in[flow] = where
        category = event["categories"][0].strip('"') if event["categories"] else ""
        self.begun[category] += 1
        if kind == "SLICE_BEGIN":
            self.open[track].append((category, time))
        else:
            assert kind == "INSTANT", where

    def packet(self, packet):
        assert packet["trusted_packet_sequence_id"] == ["1"], "another sequence"
        flags = int((packet["sequence_flags"] or ["0"])[0])
        self.cleared = self.cleared or bool(flags & CLEARED)
        assert self.cleared or not flags & NEEDS_STATE, "a sequence that was never cleared"
        for data in packet["interned_data"]:
            for name in data["event_names"]:
                assert name["iid"][0] not in self.names, "a number of a name is given twice"
                self.names.add(name["iid"][0])
        for track in packet["track_descriptor"]:
            self.describe(track)
        for event in packet["track_event"]:
            self.event(packet, event)

    def end(self):
        assert not any(self.open.values()), "slices that never end"
        assert set(self.flows_in) <= set(self.flows_out), "arrows from nowhere"
        for category in sorted(self.begun):
            print(category, self.begun[category], self.sums[category])


def unknown_fields(message):
    return [name for name, values in message.items() if name.isdigit() or
            any(unknown_fields(value) for value in values if isinstance(value, dict))]


def main():
    checker = Checker()
    for packet in parse(iter(sys.stdin))["packet"]:
        assert not unknown_fields(packet), f"fields without a name: {unknown_fields(packet)}"
        checker.packet(packet)
    checker.end()


if __name__ == "__main__":
    main()
