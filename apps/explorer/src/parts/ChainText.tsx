/** A text that comes from a chain: in its own direction, and never anything but text. */
export const ChainText = ({ children }: { children: string }) => <bdi dir="auto">{children}</bdi>
