/* fortified.c - writes behind the end of an array where it is told to, as a mistake would.
 * Built as a release is, without sanitizers. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char small[8];
    volatile size_t n = argc > 1 ? 2 * sizeof small : sizeof small;

    (void)argv;
    memset(small, 'x', n);
    return printf("%.8s\n", small) < 0;
}
