#pragma once

// GNU libmicrohttpd, and the one call of it that takes a variable number of arguments, which Swift cannot make.

#include <microhttpd.h>

typedef struct ck_web_limits {
    unsigned int connections, connections_from_one_address, idle_seconds;
    size_t bytes_of_headers;
} ck_web_limits;

static inline struct MHD_Daemon *ck_web_start(
    const struct sockaddr *address, MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback completed,
    void *context, const ck_web_limits *limits) {
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    if (address->sa_family == AF_INET6) flags |= MHD_USE_IPv6;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, answer, context, MHD_OPTION_SOCK_ADDR, address, MHD_OPTION_NOTIFY_COMPLETED, completed,
        context, MHD_OPTION_CONNECTION_LIMIT, limits->connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
        limits->connections_from_one_address, MHD_OPTION_CONNECTION_TIMEOUT, limits->idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits->bytes_of_headers, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

static inline int ck_web_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline unsigned int ck_web_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

static inline struct MHD_Response *ck_web_response(size_t count, const void *bytes) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static inline void ck_web_headers(struct MHD_Connection *connection, MHD_KeyValueIterator each, void *context) {
    MHD_get_connection_values(connection, MHD_HEADER_KIND, each, context);
}

static inline void ck_web_arguments(struct MHD_Connection *connection, MHD_KeyValueIterator each, void *context) {
    MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, each, context);
}
