/** The longest address, in characters, that a server or a proxy takes for certain. */
const maxAddress = 4_000

/**
 * The options of GraphiQL as an expression for the page, from their JSON. A link with `query` and `variables` then
 * opens a tab with both, beside the kept tabs and the examples, and the address follows the open tab. GraphiQL by itself reads the query of a link alone, and shows it in the place of the first example.
 */
export const withLinkedTab = (options: string): string => `(function (options) {
            const link = new URLSearchParams(location.search);
            const tab = { query: link.get('query'), variables: link.get('variables') ?? '' };
            return {
              ...options,
              ...(tab.query && { ...tab, defaultTabs: [tab, ...options.defaultTabs] }),
              onEditQuery() {},
              onTabChange({ tabs, activeTabIndex }) {
                const url = new URL(location.href);
                for (const name of ['query', 'variables']) {
                  const text = tabs[activeTabIndex]?.[name];
                  if (text) url.searchParams.set(name, text);
                  else url.searchParams.delete(name);
                }
                if (url.href.length > ${maxAddress}) url.search = '';
                history.replaceState(null, '', url.href);
              },
            };
          })(${options})`
