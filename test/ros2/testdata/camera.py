"""Publishes /clock from 1000 s on, and 180 images at 30 Hz by it, each another one. Prints how many there are and their digest, as
bag.py does of a recording. Publishes scene_reset too, with a QoS of which no subscription hears."""
import hashlib
import time

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.qos import qos_profile_sensor_data
from rclpy.time import Time
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Image
from std_msgs.msg import String

COUNT, BEGIN, REAL = 180, 1000.0, time.monotonic()
rclpy.init()
node = rclpy.create_node('camera')
clock = node.create_publisher(Clock, '/clock', 10)
images = node.create_publisher(Image, 'camera/image_raw', qos_profile_sensor_data)
resets = node.create_publisher(String, 'scene_reset', qos_profile_sensor_data)
told, digest = {}, hashlib.sha256()


def now():
    return BEGIN + time.monotonic() - REAL


def stamp():
    return Time(nanoseconds=int(now() * 1e9)).to_msg()


def hear(message):
    told.update({v.key: v.value for s in message.status for v in s.values}, stamp=message.header.stamp.sec)


def publish(number, frame):
    image = Image(height=120, width=160, encoding='rgb8', step=480, data=bytes((i * number) % 251 for i in range(480)) * 120)
    image.header.stamp, image.header.frame_id = stamp(), frame
    images.publish(image)
    return image


def until(holds, what, between=lambda: None):
    for _ in range(6000):
        if holds():
            return
        between()
        rclpy.spin_once(node, timeout_sec=0.01)
    raise TimeoutError(f'never: {what}; {told}')


def received():
    return int(told.get('images received', 0))


node.create_subscription(DiagnosticArray, '/diagnostics', hear, 10)
node.create_timer(0.01, lambda: clock.publish(Clock(clock=stamp())))
until(lambda: told.get('stamp', 0) >= BEGIN, 'the recorder lives in the time of /clock')
until(received, 'the recorder receives an image', lambda: publish(0, 'first'))
end = time.monotonic() + 2
until(lambda: time.monotonic() > end, 'what is under way arrives')
before, begin = received(), time.monotonic()
for number in range(1, COUNT + 1):
    until(lambda: time.monotonic() > begin + number / 30, 'the time of the next image')
    image = publish(number, 'numbered')
    digest.update(repr((image.header.stamp.sec, image.header.stamp.nanosec)).encode() + bytes(image.data))
until(lambda: received() >= before + COUNT, f'{COUNT} images more than {before} are received')
assert BEGIN <= told['stamp'] <= now(), f'/diagnostics is stamped {told["stamp"]}, and /clock says {now()}'
print(f'{COUNT} images {digest.hexdigest()}')
