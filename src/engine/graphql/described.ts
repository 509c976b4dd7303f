/** The values of an enum, each with its description. */
export const described = <Name extends string>(
  values: Readonly<Record<Name, string>>,
): Record<Name, { description: string }> => {
  const entries = Object.entries<string>(values).map(([name, description]) => [name, { description }])
  return Object.fromEntries(entries)
}
