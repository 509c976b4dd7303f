/** A text that comes from a chain: in its own direction, and never anything but text. */
export const Words = ({ children }: { children: string }) => <bdi dir="auto">{children}</bdi>
