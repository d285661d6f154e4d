// Reads the data that a client of Tracy sends, by the headers of its protocol, in place of its
// viewer:
//
//   tracy_reader PORT
//
// Prints a line for each event, in the order of arrival: `begin THREAD PLACE`, `value THREAD
// NUMBER`, `end THREAD`, and `place PLACE NAME` once for each place. It asks for places and their
// names as the viewer does. Exit 0: the client has sent everything.
#include "common/TracyProtocol.hpp"
#include "common/TracyQueue.hpp"
#include "common/tracy_lz4.hpp"

#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <set>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using namespace tracy;

static constexpr int PATIENCE_SECONDS = 60;
static constexpr useconds_t PAUSE_US = 10'000;

static void fail(const char *why)
{
    fprintf(stderr, "tracy_reader: %s\n", why);
    exit(1);
}

// A connection to a client, from the handshake on.
class Client
{
  public:
    explicit Client(uint16_t port) : socket_(connected(port))
    {
        uint32_t version = ProtocolVersion;
        HandshakeStatus status;
        WelcomeMessage welcome;
        write(HandshakeShibboleth, HandshakeShibbolethSize);
        write(&version, sizeof version);
        read(&status, sizeof status);
        if (status != HandshakeWelcome) fail("the client does not welcome this protocol");
        read(&welcome, sizeof welcome);
    }

    void ask(ServerQuery what, uint64_t about)
    {
        ServerQueryPacket packet = {what, about, 0};
        write(&packet, sizeof packet);
    }

    void read(void *to, size_t bytes)
    {
        if (recv(socket_, to, bytes, MSG_WAITALL) != ssize_t(bytes)) fail("the client is gone");
    }

  private:
    // Tries until the client listens.
    static int connected(uint16_t port)
    {
        sockaddr_in there = {};
        there.sin_family = AF_INET;
        there.sin_port = htons(port);
        there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        for (long tries = PATIENCE_SECONDS * 1'000'000L / PAUSE_US; tries > 0; tries--) {
            int made = socket(AF_INET, SOCK_STREAM, 0);
            if (connect(made, reinterpret_cast<sockaddr *>(&there), sizeof there) == 0) return made;
            close(made);
            usleep(PAUSE_US);
        }
        fail("no client listens");
        return -1;
    }

    void write(const void *from, size_t bytes)
    {
        if (send(socket_, from, bytes, MSG_NOSIGNAL) != ssize_t(bytes)) fail("the client is gone");
    }

    int socket_;
};

// The frames of a client one after the other. Each is decompressed by what came before it.
class Frames
{
  public:
    explicit Frames(Client &client) : client_(client), stream_(LZ4_createStreamDecode())
    {
        LZ4_setStreamDecode(stream_, nullptr, 0);
    }

    ~Frames()
    {
        LZ4_freeStreamDecode(stream_);
    }

    std::pair<const char *, const char *> next()
    {
        lz4sz_t packed;
        client_.read(&packed, sizeof packed);
        if (packed > packed_.size()) fail("a frame is longer than the protocol allows");
        client_.read(packed_.data(), packed);
        char *to = bytes_.data() + at_;
        int size = LZ4_decompress_safe_continue(stream_, packed_.data(), to, int(packed),
                                                int(TargetFrameSize));
        if (size <= 0) fail("a frame cannot be decompressed");
        at_ = at_ + size_t(size) > 2 * TargetFrameSize ? 0 : at_ + size_t(size);
        return {to, to + size};
    }

  private:
    Client &client_;
    LZ4_streamDecode_t *stream_;
    std::vector<char> packed_ = std::vector<char>(LZ4Size);
    std::vector<char> bytes_ = std::vector<char>(3 * TargetFrameSize);
    size_t at_ = 0;
};

template <typename Number> static size_t counted(const char *at)
{
    Number bytes;
    memcpy(&bytes, at, sizeof bytes);
    return sizeof bytes + bytes;
}

// Returns how long an item is, with a text behind it that begins with its length.
static size_t length(const QueueItem &item, const char *at)
{
    const size_t fixed = QueueDataSize[item.hdr.idx];
    switch (item.hdr.type) {
    case QueueType::SingleStringData:
    case QueueType::SecondStringData:
        return fixed + counted<uint16_t>(at + fixed);
    case QueueType::SingleStringData8:
    case QueueType::SecondStringData8:
        return fixed + counted<uint8_t>(at + fixed);
    case QueueType::FrameImageData:
    case QueueType::SymbolCode:
    case QueueType::SourceCode:
        return fixed + counted<uint32_t>(at + fixed);
    default:
        break;
    }
    return item.hdr.type < QueueType::StringData ? fixed : fixed + counted<uint16_t>(at + fixed);
}

// Tells of zones, and asks for their names.
class Reader
{
  public:
    explicit Reader(Client &client) : client_(client) {}

    // False: the client has ended.
    bool take(const QueueItem &item, const char *text)
    {
        switch (item.hdr.type) {
        case QueueType::ThreadContext:
            thread_ = item.threadCtx.thread;
            break;
        case QueueType::ZoneBegin:
            begin(item.zoneBegin.srcloc);
            break;
        case QueueType::ZoneBegin32:
            begin(item.zoneBegin32.srcloc);
            break;
        case QueueType::ZoneBegin16:
            begin(item.zoneBegin16.srcloc);
            break;
        case QueueType::ZoneEnd:
        case QueueType::ZoneEnd32:
        case QueueType::ZoneEnd16:
            printf("end %u\n", thread_);
            break;
        case QueueType::ZoneValue:
            printf("value %u %llu\n", thread_, (unsigned long long)item.zoneValue.value);
            break;
        case QueueType::SourceLocation:
            located(item.srcloc.name);
            break;
        case QueueType::StringData:
            named(text);
            break;
        case QueueType::Terminate:
            ended_ = true;
            break;
        default:
            break;
        }
        return !ended_ || !located_.empty() || !named_.empty();
    }

  private:
    void begin(uint64_t place)
    {
        printf("begin %u %llx\n", thread_, (unsigned long long)place);
        if (!known_.insert(place).second) return;
        client_.ask(ServerQuerySourceLocation, place);
        located_.push_back(place);
    }

    // Answers come in the order of the questions.
    void located(uint64_t name)
    {
        client_.ask(ServerQueryString, name);
        named_.push_back(located_.front());
        located_.pop_front();
    }

    void named(const char *text)
    {
        uint16_t bytes;
        memcpy(&bytes, text, sizeof bytes);
        std::string name(text + sizeof bytes, bytes);
        printf("place %llx %s\n", (unsigned long long)named_.front(), name.c_str());
        named_.pop_front();
    }

    Client &client_;
    uint32_t thread_ = 0;
    bool ended_ = false;
    std::set<uint64_t> known_;
    std::deque<uint64_t> located_, named_; // places that were asked for, and their names
};

int main(int count, char **arguments)
{
    if (count != 2) fail("it wants the port of a client");
    Client client(uint16_t(atoi(arguments[1])));
    Frames frames(client);
    Reader reader(client);
    for (bool more = true; more;) {
        auto [at, end] = frames.next();
        while (at < end) {
            QueueItem item = {};
            memcpy(&item, at, QueueDataSize[uint8_t(*at)]);
            more = reader.take(item, at + QueueDataSize[item.hdr.idx]);
            at += length(item, at);
        }
    }
    client.ask(ServerQueryTerminate, 0);
    return 0;
}
