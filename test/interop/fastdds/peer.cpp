// An echo in Fast DDS: what comes on /chat and /image is told on standard output, decoded by Fast CDR, and sent back
// as it is on /chat_back and /image_back; what others keep on /kept for those who come late is told. /chat_back keeps
// its last three strings for them. It answers calls of /theirs with the request, and calls /ours, as rmw_fastrtps does: each
// line on standard input is the note of a new client's call. Usage: peer DOMAIN
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <fastcdr/Cdr.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

using namespace eprosima::fastdds::dds;
using eprosima::fastrtps::rtps::InstanceHandle_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;
using Bytes = std::vector<char>;

// A type whose samples are CDR payloads as they are on the wire.
class RawType : public TopicDataType {
public:
	explicit RawType(const char *name)
	{
		setName(name);
		m_typeSize = 4 << 20;
		m_isGetKeyDefined = false;
	}
	bool serialize(void *data, SerializedPayload_t *out) override
	{
		const Bytes &b = *static_cast<Bytes *>(data);
		std::memcpy(out->data, b.data(), b.size());
		out->encapsulation = b[1] == 1 ? CDR_LE : CDR_BE;
		out->length = static_cast<uint32_t>(b.size());
		return true;
	}
	bool deserialize(SerializedPayload_t *in, void *data) override
	{
		const char *bytes = reinterpret_cast<char *>(in->data);
		static_cast<Bytes *>(data)->assign(bytes, bytes + in->length);
		return true;
	}
	std::function<uint32_t()> getSerializedSizeProvider(void *data) override
	{
		return [data] { return static_cast<uint32_t>(static_cast<Bytes *>(data)->size()); };
	}
	void *createData() override { return new Bytes(); }
	void deleteData(void *data) override { delete static_cast<Bytes *>(data); }
	bool getKey(void *, InstanceHandle_t *, bool) override { return false; }
};

using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;

static std::string tell_string(Cdr &cdr)
{
	std::string s;
	cdr >> s;
	return "string " + s;
}

static std::string tell_image(Cdr &cdr)
{
	int32_t sec;
	uint32_t nanosec, height, width, step;
	std::string frame, encoding;
	uint8_t bigendian;
	std::vector<uint8_t> data;
	cdr >> sec >> nanosec >> frame >> height >> width >> encoding >> bigendian >> step >> data;
	return "image " + std::to_string(width) + "x" + std::to_string(height) + " " + encoding + " " + std::to_string(data.size()) + " " +
		std::to_string(std::accumulate(data.begin(), data.end(), uint64_t(0)));
}

class Echo : public DataReaderListener {
public:
	Echo(DataWriter *back, std::string (*tell)(Cdr &)) : back_(back), tell_(tell) {}
	void on_data_available(DataReader *reader) override
	{
		Bytes bytes;
		SampleInfo info;
		while (reader->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK) {
			if (!info.valid_data)
				continue;
			FastBuffer buffer(bytes.data(), bytes.size());
			Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
			cdr.read_encapsulation();
			std::string line = tell_(cdr);
			{
				static std::mutex mutex;
				std::lock_guard<std::mutex> lock(mutex);
				std::cout << line << std::endl;
			}
			if (back_ != nullptr)
				back_->write(&bytes);
		}
	}

private:
	DataWriter *back_;
	std::string (*tell_)(Cdr &);
};

using eprosima::fastrtps::rtps::GUID_t;
using eprosima::fastrtps::rtps::WriteParams;

// A server's side: the reply is for the reader that the request names, and has the request's number.
class Server : public DataReaderListener {
public:
	explicit Server(DataWriter *replies) : replies_(replies) {}
	void on_data_available(DataReader *reader) override
	{
		Bytes request;
		SampleInfo info;
		while (reader->take_next_sample(&request, &info) == ReturnCode_t::RETCODE_OK) {
			if (!info.valid_data)
				continue;
			std::cout << "called" << std::endl;
			WriteParams related;
			related.related_sample_identity() = info.sample_identity;
			if (info.related_sample_identity.writer_guid() != GUID_t::unknown())
				related.related_sample_identity().writer_guid() = info.related_sample_identity.writer_guid();
			Bytes reply{0, 1, 0, 0, 1, 0, 0, 0}; // success, then the note as the message
			reply.insert(reply.end(), request.begin() + 4, request.end());
			while (reply.size() % 4 != 0)
				reply.push_back(0);
			reply.insert(reply.end(), 4, 0);
			// The request may come before the client's side for replies is found, and a reply sent then is lost: rmw_fastrtps waits
			// too. What is found comes by another port, in another thread.
			for (PublicationMatchedStatus found; replies_->get_publication_matched_status(found), found.current_count == 0;)
				std::this_thread::sleep_for(std::chrono::milliseconds(1));
			replies_->write(&reply, related);
		}
	}

private:
	DataWriter *replies_;
};

// A client's side: it tells of the replies that are for its own reader.
class Client : public DataReaderListener {
public:
	void on_data_available(DataReader *reader) override
	{
		Bytes reply;
		SampleInfo info;
		while (reader->take_next_sample(&reply, &info) == ReturnCode_t::RETCODE_OK) {
			if (!info.valid_data || info.related_sample_identity.writer_guid() != reader->guid())
				continue;
			FastBuffer buffer(reply.data(), reply.size());
			Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
			cdr.read_encapsulation();
			bool success;
			std::string message;
			cdr >> success >> message;
			std::cout << "reply of " << message.size() << std::endl;
		}
	}
};

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	DomainParticipantQos qos = PARTICIPANT_QOS_DEFAULT;
	auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
	udp->interfaceWhiteList.push_back("127.0.0.1");
	udp->receiveBufferSize = udp->sendBufferSize = 4 << 20;
	qos.transport().use_builtin_transports = false;
	qos.transport().user_transports.push_back(udp);
	eprosima::fastrtps::rtps::Locator_t loopback;
	eprosima::fastrtps::rtps::IPLocator::setIPv4(loopback, "127.0.0.1");
	qos.wire_protocol().builtin.initialPeersList.push_back(loopback);
	DomainParticipant *participant = DomainParticipantFactory::get_instance()->create_participant(std::atoi(argv[1]), qos);
	if (participant == nullptr)
		return 1;
	TypeSupport string(new RawType("std_msgs::msg::dds_::String_")), image(new RawType("sensor_msgs::msg::dds_::Image_"));
	string.register_type(participant);
	image.register_type(participant);
	auto topic = [&](const char *name, TypeSupport &type) { return participant->create_topic(name, type.get_type_name(), TOPIC_QOS_DEFAULT); };
	Publisher *publisher = participant->create_publisher(PUBLISHER_QOS_DEFAULT);
	Subscriber *subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);

	DataWriterQos latched = DATAWRITER_QOS_DEFAULT; // for those who come late
	latched.reliability().kind = RELIABLE_RELIABILITY_QOS;
	latched.durability().kind = TRANSIENT_LOCAL_DURABILITY_QOS;
	latched.history().depth = 3;
	latched.endpoint().history_memory_policy = eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
	DataWriterQos camera = latched;
	camera.durability().kind = VOLATILE_DURABILITY_QOS;
	camera.publish_mode().kind = ASYNCHRONOUS_PUBLISH_MODE;
	DataReaderQos reliable = DATAREADER_QOS_DEFAULT;
	reliable.reliability().kind = RELIABLE_RELIABILITY_QOS;
	reliable.history().depth = 10;
	reliable.endpoint().history_memory_policy = eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
	DataReaderQos best_effort = reliable;
	best_effort.reliability().kind = BEST_EFFORT_RELIABILITY_QOS;
	DataReaderQos late = reliable;
	late.durability().kind = TRANSIENT_LOCAL_DURABILITY_QOS;

	Echo chat(publisher->create_datawriter(topic("rt/chat_back", string), latched), tell_string);
	Echo images(publisher->create_datawriter(topic("rt/image_back", image), camera), tell_image);
	Echo kept(nullptr, tell_string);
	subscriber->create_datareader(topic("rt/chat", string), reliable, &chat);
	subscriber->create_datareader(topic("rt/image", image), best_effort, &images);

	DataWriterQos calls = camera;
	calls.history().kind = KEEP_ALL_HISTORY_QOS;
	DataReaderQos called = reliable;
	called.history().kind = KEEP_ALL_HISTORY_QOS;
	TypeSupport request(new RawType("strips_wm_msgs::srv::dds_::MarkFailed_Request_")), reply(new RawType("strips_wm_msgs::srv::dds_::MarkFailed_Response_"));
	request.register_type(participant);
	reply.register_type(participant);
	Server server(publisher->create_datawriter(topic("rr/theirsReply", reply), calls));
	subscriber->create_datareader(topic("rq/theirsRequest", request), called, &server);
	Client client;
	Topic *ours = topic("rq/oursRequest", request), *ours_back = topic("rr/oursReply", reply);
	std::cout << "ready" << std::endl;
	// What is kept may come at once; the test waits for it after "ready".
	subscriber->create_datareader(topic("rt/kept", string), late, &kept);
	std::string line;
	while (std::getline(std::cin, line)) {
		DataReader *replies = subscriber->create_datareader(ours_back, called, &client);
		DataWriter *requests = publisher->create_datawriter(ours, calls);
		SubscriptionMatchedStatus server_found;
		PublicationMatchedStatus client_found;
		do {
			std::this_thread::sleep_for(std::chrono::milliseconds(1));
			replies->get_subscription_matched_status(server_found);
			requests->get_publication_matched_status(client_found);
		} while (server_found.current_count == 0 || client_found.current_count == 0);
		uint32_t length = static_cast<uint32_t>(line.size()) + 1;
		Bytes note{0, 1, 0, 0};
		note.insert(note.end(), reinterpret_cast<char *>(&length), reinterpret_cast<char *>(&length + 1));
		note.insert(note.end(), line.c_str(), line.c_str() + length);
		WriteParams related;
		related.related_sample_identity().writer_guid() = replies->guid();
		requests->write(&note, related);
	}
	participant->delete_contained_entities();
	DomainParticipantFactory::get_instance()->delete_participant(participant);
	return 0;
}
