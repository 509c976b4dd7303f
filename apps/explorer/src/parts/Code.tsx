/** A long text of a fixed width, which a keyboard can scroll. */
export const Code = ({ children }: { children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what does not fit
  <pre tabIndex={0}>{children}</pre>
)
