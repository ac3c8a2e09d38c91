/** Compilers need a while: what is measured is a service that runs, not one that starts. */
export const WARM_UP_S = 4
