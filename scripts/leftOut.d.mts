/** The files of tests that `npm test` leaves out. */
export const leftOut: string[]
