"""A server of /theirs, which says when it is called."""
import rclpy
from std_srvs.srv import Trigger

rclpy.init()
node = rclpy.create_node('server')


def called(request, response):
    print('called', flush=True)
    response.success, response.message = True, 'here'
    return response


node.create_service(Trigger, '/theirs', called)
print('ready', flush=True)
rclpy.spin(node)
