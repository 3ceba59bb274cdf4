/* nats.c - a real nats-server. See nats.h. SPDX-License-Identifier: MIT */
#include "nats.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *bus_program(void)
{
    static const char *const places[] = {"/usr/sbin/nats-server", "/usr/bin/nats-server"};
    const char *own = text("%s/.deps/usr/sbin/nats-server", getenv("BROOD_SOURCE"));

    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (access(places[i], X_OK) == 0)
            return places[i];
    return access(own, X_OK) == 0 ? own : NULL;
}

struct job *bus_start(const char **ret_url)
{
    const char *server = bus_program(), *dir = fresh("bus"), *ports;
    struct ran built =
        brood("node", "--nats", "nats://127.0.0.1:1", "--crawl", "x", "--out", dir, "--wait", "0");
    struct job *bus;

    if (server == NULL || strstr(built.err, "built without NATS"))
        return NULL;
    assert_code(run("mkdir", dir), 0);
    bus = job_start((const char *const[]){server, "-a", "127.0.0.1", "-p", "-1", "-js", "-sd", dir,
                                          "--ports_file_dir", dir, NULL});
    ports = text("%s/nats-server_%d.ports", dir, (int)job_pid(bus));
    while (access(ports, R_OK) != 0 || json_of(file_text(ports)) == NULL)
        assert_true(job_listen(bus, 20));
    *ret_url = text_at(json_of(file_text(ports)), "nats.0");
    return bus;
}

void bus_stop(struct job *bus)
{
    if (bus == NULL)
        return;
    (void)kill(job_pid(bus), SIGTERM);
    (void)job_wait(bus);
}
