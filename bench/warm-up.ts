/** Compilers need a while: what is measured is a service that runs, not one that starts. */
export const WARM_UP_S = 4

/** After so many messages hardly anything is left to compile. */
export const WARM_UP_MESSAGES = Number(process.env.BENCH_WARM_UP ?? 20_000)
