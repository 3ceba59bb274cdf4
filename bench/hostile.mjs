// hostile.mjs - a web that wants our memory: hosts with robots.txt files of 500 KiB, pages of 10,000
// long links; and among them ordinary hosts. One port, hosts by name.
//
//   node bench/hostile.mjs HOSTS PAGES LINKS     prints its port, serves until it is killed
//
//   http://hub.test/        links to all of it
//   http://hN.test/         HOSTS domains, each with large rules of its own
//   http://evil.test/N      PAGES pages of LINKS links of 2 KB each, half of them too long for us
//   http://gN.test/M        GOOD_HOSTS ordinary hosts of GOOD_PAGES pages
//
// SPDX-License-Identifier: MIT
import http from "node:http";

const [HOSTS, PAGES, LINKS] = process.argv.slice(2).map(Number);
const GOOD_HOSTS = 50, GOOD_PAGES = 20, AT_ONCE = 1000;

const line = (n) => `Disallow: /private/section-${String(n).padStart(6, "0")}/\n`;
const rules = Buffer.from(
    "User-agent: *\n" + Array.from({length: Math.floor(500 * 1024 / line(0).length)}, (_, n) => line(n)).join(""));

const page = (title, links, base = "") =>
    `<title>${title}</title>${base}<p>coral reefs ${title}</p>` + links.map((l) => `<a href="${l}">${l.slice(-30)}</a>\n`).join("");
const upTo = (n, of) => Array.from({length: n}, (_, i) => of(i));

// A base of 1,900 bytes, or of 2,040, before short links: the page is small, its URLs are not.
const evil = (n) => page(`evil ${n}`, upTo(LINKS, (i) => `${n}-${i}`),
    `<base href="http://evil.test/${"x".repeat(n % 2 ? 1900 : 2040)}/">`);

function answer(host, path) {
    const [, kind, n] = /^([a-z]+)(\d*)\.test$/.exec(host) ?? [];
    if (path === "/robots.txt")
        return kind === "h" ? rules : null;
    if (kind === "hub" && path === "/")
        return page("hub", ["/good", "/evil", ...upTo(Math.ceil(HOSTS / AT_ONCE), (i) => `/hosts/${i}`)]);
    if (kind === "hub" && path === "/good")
        return page("good", upTo(GOOD_HOSTS, (i) => `http://g${i}.test/0`));
    if (kind === "hub" && path === "/evil")
        return page("evil", upTo(PAGES, (i) => `http://evil.test/${i}`));
    if (kind === "hub" && path.startsWith("/hosts/"))
        return page(path, upTo(AT_ONCE, (i) => `http://h${path.slice(7) * AT_ONCE + i}.test/`).slice(0, HOSTS));
    if (kind === "h" && path === "/")
        return page(`host ${n}`, [`http://h${n}.test/private/section-000001/x`]);
    if (kind === "g" && path.slice(1) < GOOD_PAGES)
        return page(`good ${n} ${path}`, upTo(GOOD_PAGES, (i) => `/${i}`));
    if (kind === "evil" && path.slice(1) < PAGES)
        return evil(Number(path.slice(1)));
    return null;
}

const server = http.createServer((ask, reply) => {
    const body = answer((ask.headers.host ?? "").replace(/:.*/, ""), ask.url);
    reply.writeHead(body === null ? 404 : 200, {
        "content-type": ask.url === "/robots.txt" ? "text/plain" : "text/html",
        "content-length": body === null ? 0 : Buffer.byteLength(body),
    });
    reply.end(body ?? "");
});
server.listen(0, "0.0.0.0", () => console.log(server.address().port));
