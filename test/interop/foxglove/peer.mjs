// An echo in @foxglove/rtps: what comes on /chat and /image is told on standard output, decoded by @foxglove/cdr, and
// sent back as it is on /chat_back and /image_back; what others keep on /kept for those who come late is told.
// Usage: peer.mjs DOMAIN DISCOVERY_PORT...
//
// All goes over the loopback interface: what the library would send to the multicast group goes to the ports named.
import { CdrReader } from "@foxglove/cdr";
import * as rtps from "@foxglove/rtps";
import { UdpSocketNode } from "@foxglove/rtps/nodejs";

const [domain, ...ports] = process.argv.slice(2).map(Number);
const loopback = "127.0.0.1";
const STRING = "std_msgs::msg::dds_::String_";
const IMAGE = "sensor_msgs::msg::dds_::Image_";

class LoopbackSocket extends UdpSocketNode {
  async addMembership() {}
  async send(data, offset, length, port, address) {
    if (address === loopback) {
      return await super.send(data, offset, length, port, address);
    }
    for (const port of ports) {
      await super.send(data, offset, length, port, loopback);
    }
  }
  static async create(options) {
    const socket = await UdpSocketNode.Create(options);
    Object.setPrototypeOf(socket, LoopbackSocket.prototype);
    return socket;
  }
}

const participant = new rtps.Participant({
  name: "foxglove",
  addresses: [loopback],
  domainId: domain,
  udpSocketCreate: LoopbackSocket.create,
  log: process.env.PEER_LOG ? console : undefined,
});
participant.on("error", (err) => console.error(err));
await participant.start();

const reliable = { kind: rtps.Reliability.Reliable, maxBlockingTime: { sec: 1, nsec: 0 } };
const keep = (depth) => ({ kind: rtps.HistoryKind.KeepLast, depth });

// The library has no call to publish, but all the parts: a writer, its announcement, its history, and for each
// participant which of its readers each writer has.
const topics = new Map();
participant.on("discoveredSubscription", ({ topicName, guidPrefix, entityId }) => {
  const writer = topics.get(topicName);
  const readers = participant._participants.get(guidPrefix)?.localWriterIdToRemoteReaderIds;
  if (writer && readers) {
    readers.set(writer, [...new Set([...(readers.get(writer) ?? []), entityId])]);
  }
});

function advertise(number, topicName, typeName, depth) {
  const { guidPrefix, protocolVersion, vendorId } = participant.attributes;
  const entityId = rtps.makeEntityId(number, rtps.EntityKind.AppdefWriterNoKey);
  const guid = rtps.makeGuid(guidPrefix, entityId);
  const durability = rtps.Durability.Volatile;
  const history = keep(depth);
  const writer = new rtps.Writer({ guidPrefix, entityId, topicName, typeName, durability, reliability: reliable, history, protocolVersion, vendorId });
  participant._writers.set(entityId, writer);
  topics.set(topicName, entityId);

  const p = new rtps.Parameters();
  p.topicName(topicName);
  p.typeName(typeName);
  p.durability(durability);
  p.reliability(reliable);
  p.history(history);
  p.protocolVersion(protocolVersion);
  p.vendorId(vendorId);
  p.endpointGuid(guid);
  p.finish();
  const announcements = participant._writers.get(rtps.EntityIdBuiltin.PublicationsWriter);
  add(announcements, p.data, guid);
  void participant.sendMetatrafficChanges(announcements);
  return (payload) => {
    add(writer, payload, undefined);
    void participant.sendDefaultChanges(writer);
  };
}

function add(writer, data, instanceHandle) {
  const now = Date.now();
  writer.history.set({
    timestamp: { sec: Math.floor(now / 1000), nsec: (now % 1000) * 1e6 },
    kind: rtps.ChangeKind.Alive,
    writerGuid: rtps.makeGuid(writer.attributes.guidPrefix, writer.attributes.entityId),
    sequenceNumber: writer.history.nextSequenceNum(),
    data,
    instanceHandle,
  });
}

const chatBack = advertise(100, "rt/chat_back", STRING, 10);
// One at a time: what is not acknowledged yet goes out again in one packet, in which the library forgets to leave room for the heartbeat.
const imageBack = advertise(101, "rt/image_back", IMAGE, 1);

const handlers = {
  "rt/chat": (r) => `string ${r.string()}`,
  "rt/kept": (r) => `string ${r.string()}`,
  "rt/image": (r) => {
    r.int32(), r.uint32(), r.string(); // the header
    const height = r.uint32(), width = r.uint32(), encoding = r.string();
    r.uint8(), r.uint32();
    const data = r.uint8Array();
    return `image ${width}x${height} ${encoding} ${data.length} ${data.reduce((sum, v) => sum + v, 0)}`;
  },
};
participant.on("userData", (m) => {
  const payload = new Uint8Array(m.serializedData);
  const { topicName } = m.publication;
  console.log(handlers[topicName](new CdrReader(payload)));
  if (topicName === "rt/chat") chatBack(payload);
  if (topicName === "rt/image" && payload.length < 1200) imageBack(payload); // it sends what fits in one packet
});
const { Volatile, TransientLocal } = rtps.Durability;
const bestEffort = { ...reliable, kind: rtps.Reliability.BestEffort };
participant.subscribe({ topicName: "rt/chat", typeName: STRING, durability: Volatile, reliability: reliable, history: keep(10) });
participant.subscribe({ topicName: "rt/kept", typeName: STRING, durability: TransientLocal, reliability: reliable, history: keep(10) });
participant.subscribe({ topicName: "rt/image", typeName: IMAGE, durability: Volatile, reliability: bestEffort, history: keep(5) });
console.log("ready");
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
