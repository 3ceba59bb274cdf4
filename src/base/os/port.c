/* port.c - ports that web servers do not use: one table, by number.
 *
 * Source: the "bad ports" of the WHATWG Fetch standard, which browsers refuse.
 * We differ: databases, queues and remote desktops that never speak HTTP are
 * refused as well, most of all Redis and Memcached, which obey what they can
 * read of a request. SPDX-License-Identifier: MIT */
#include "base/os/port.h"

#include "base/mem.h"

static const struct {
    uint16_t port;
    const char *service;
} refused[] = {
    {0, "no port"},       {1, "tcpmux"},        {7, "echo"},          {9, "discard"},
    {11, "systat"},       {13, "daytime"},      {15, "netstat"},      {17, "qotd"},
    {19, "chargen"},      {20, "ftp-data"},     {21, "ftp"},          {22, "ssh"},
    {23, "telnet"},       {25, "smtp"},         {37, "time"},         {42, "name"},
    {43, "whois"},        {53, "domain"},       {69, "tftp"},         {77, "rje"},
    {79, "finger"},       {87, "link"},         {95, "supdup"},       {101, "hostname"},
    {102, "iso-tsap"},    {103, "gppitnp"},     {104, "acr-nema"},    {109, "pop2"},
    {110, "pop3"},        {111, "sunrpc"},      {113, "ident"},       {115, "sftp"},
    {117, "uucp-path"},   {119, "nntp"},        {123, "ntp"},         {135, "epmap"},
    {137, "netbios-ns"},  {139, "netbios-ssn"}, {143, "imap"},        {161, "snmp"},
    {179, "bgp"},         {389, "ldap"},        {427, "svrloc"},      {465, "submissions"},
    {512, "exec"},        {513, "login"},       {514, "shell"},       {515, "printer"},
    {526, "tempo"},       {530, "courier"},     {531, "chat"},        {532, "netnews"},
    {540, "uucp"},        {548, "afp"},         {554, "rtsp"},        {556, "remotefs"},
    {563, "nntps"},       {587, "submission"},  {601, "syslog-conn"}, {636, "ldaps"},
    {989, "ftps-data"},   {990, "ftps"},        {993, "imaps"},       {995, "pop3s"},
    {1719, "h323gate"},   {1720, "h323host"},   {1723, "pptp"},       {2049, "nfs"},
    {3659, "apple-sasl"}, {4045, "npp"},        {4190, "sieve"},      {5060, "sip"},
    {5061, "sips"},       {6000, "x11"},        {6566, "sane-port"},  {6665, "irc"},
    {6666, "irc"},        {6667, "irc"},        {6668, "irc"},        {6669, "irc"},
    {6679, "osaut"},      {6697, "ircs"},       {10080, "amanda"}, /* from here on ours */
    {445, "smb"},         {1433, "mssql"},      {1521, "oracle"},     {1883, "mqtt"},
    {3306, "mysql"},      {3389, "rdp"},        {5432, "postgresql"}, {5672, "amqp"},
    {5900, "vnc"},        {6379, "redis"},      {9042, "cassandra"},  {11211, "memcached"},
    {27017, "mongodb"},
};

const char *port_refuses(uint16_t port)
{
    if (port == 80 || port == 443) /* nearly all requests */
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(refused); i++)
        if (refused[i].port == port)
            return refused[i].service;
    return NULL;
}
