/** The longest address, in characters, that a server or a proxy takes for certain. */
const maxAddress = 4_000

/**
 * The options of GraphiQL as an expression for the page, from their JSON. A link with `query` and `variables` then
 * opens a tab with both, beside the kept tabs and the examples, and the address follows the open tab. The tab that was open is
 * opened again if there is no link. GraphiQL by itself reads the query of a link alone, shows it in the place of the first
 * example, and adds an empty tab to the kept ones.
 */
export const withLinkedTab = (options: string): string => `(function (options) {
            const link = new URLSearchParams(location.search);
            const tab = { query: link.get('query'), variables: link.get('variables') ?? '' };
            let open;
            try {
              const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState'));
              const { query, variables } = tabs[activeTabIndex];
              open = query && { query, variables: variables ?? '' };
            } catch {
              // The browser keeps no tabs.
            }
            return {
              ...options,
              ...(tab.query ? { ...tab, defaultTabs: [tab, ...options.defaultTabs] } : open),
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
