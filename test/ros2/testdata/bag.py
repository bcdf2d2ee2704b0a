"""Reads a recording with rosbags and with mcap-ros2-support. Prints what each finds: messages by topic, and the digest of numbered
images."""
import hashlib
import pathlib
import sys

from mcap_ros2.reader import read_ros2_messages
from rosbags.highlevel import AnyReader

folder = pathlib.Path(sys.argv[1])


def by_rosbags():
    with AnyReader([folder]) as reader:
        for connection, time, data in reader.messages():
            yield connection.topic, time, reader.deserialize(data, connection.msgtype)


def by_mcap():
    for file in sorted(folder.glob('*.mcap')):
        for m in read_ros2_messages(str(file)):
            yield m.channel.topic, m.log_time_ns, m.ros_msg


for name, messages in ('rosbags', by_rosbags()), ('mcap-ros2-support', by_mcap()):
    counts, numbered, digest, times = {}, 0, hashlib.sha256(), []
    for topic, time, message in messages:
        counts[topic] = counts.get(topic, 0) + 1
        times.append(time)
        if getattr(getattr(message, 'header', None), 'frame_id', '') == 'numbered':
            stamp, numbered = message.header.stamp, numbered + 1
            digest.update(repr((stamp.sec, stamp.nanosec)).encode() + bytes(message.data))
    print(f'{name}: {numbered} images {digest.hexdigest()}, from {min(times) // 10**9} s on, {sorted(counts.items())}')
