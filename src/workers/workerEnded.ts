/** A worker has ended before it served. It has said why. */
export class WorkerEnded extends Error {}
