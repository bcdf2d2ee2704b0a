// A world as Gazebo Fortress has it, on Debian's Ignition Transport: it publishes where its
// bodies are and images of them, and puts them elsewhere when it is asked to. It lacks only a
// Gazebo: an image's pixels are the bodies' x and y in centimetres, after a few that are blank.
//
//   world NAME BODY...
#include <chrono>
#include <cmath>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>

#include <ignition/msgs.hh>
#include <ignition/transport.hh>

using namespace ignition;

int main(int argc, char **argv)
{
  const std::string name = std::string("/world/") + argv[1];
  std::mutex mutex;
  std::map<std::string, msgs::Pose> bodies;
  msgs::Pose_V wanted;  // read once a step, as Gazebo does
  for (int i = 2; i < argc; ++i)
  {
    bodies[argv[i]].set_name(argv[i]);
    bodies[argv[i]].mutable_orientation()->set_w(1);
  }

  transport::Node node;
  auto poses = node.Advertise<msgs::Pose_V>(name + "/pose/info");
  auto images = node.Advertise<msgs::Image>("/camera/image_raw");
  std::function<bool(const msgs::Pose_V &, msgs::Boolean &)> put =
    [&](const msgs::Pose_V &_request, msgs::Boolean &_reply)
    {
      std::lock_guard<std::mutex> lock(mutex);
      wanted.MergeFrom(_request);
      _reply.set_data(true);  // as Gazebo does, also for bodies that there are not
      return true;
    };
  if (!node.Advertise(name + "/set_pose_vector", put))
    return 1;
  std::cout << "ready" << std::endl;

  int blank = 5;
  for (int64_t now = 0;; now += 33)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(33));
    std::lock_guard<std::mutex> lock(mutex);
    msgs::Header header;
    header.mutable_stamp()->set_sec(now / 1000);
    header.mutable_stamp()->set_nsec(now % 1000 * 1000000);
    for (const auto &pose : wanted.pose())
      if (bodies.count(pose.name()))
        bodies[pose.name()].CopyFrom(pose);
    wanted.clear_pose();

    msgs::Pose_V all;
    all.mutable_header()->CopyFrom(header);
    for (const auto &body : bodies)
      all.add_pose()->CopyFrom(body.second);
    for (const auto &body : bodies)  // their links, all of one name, where they are in the body
    {
      all.add_pose()->set_name("link");
      all.add_pose()->set_name(body.first);
    }
    if (poses.HasConnections())
      poses.Publish(all);

    if (!images.HasConnections())
      continue;  // nobody looks, so that nothing is drawn
    std::string pixels;
    for (const auto &body : bodies)
    {
      pixels += static_cast<char>(std::lround(100 * body.second.position().x()));
      pixels += static_cast<char>(std::lround(100 * body.second.position().y()));
      pixels += static_cast<char>(255);
    }
    if (blank-- > 0)
      pixels.assign(pixels.size(), 0);
    msgs::Image image;
    image.mutable_header()->CopyFrom(header);
    image.set_width(bodies.size());
    image.set_height(1);
    image.set_step(pixels.size());
    image.set_pixel_format_type(msgs::PixelFormatType::RGB_INT8);
    image.set_data(pixels);
    images.Publish(image);
  }
}
