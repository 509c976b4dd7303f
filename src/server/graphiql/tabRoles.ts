/**
 * A script for the page, to run after GraphiQL has begun. The role that GraphiQL gives to a tab allows no button inside,
 * but the button that closes a tab is there. The script makes the tabs a list of buttons, and marks the current button.
 */
export const listTabs = `
      (function (root) {
        const change = () => {
          for (const list of root.querySelectorAll('[role="tablist"]')) list.setAttribute('role', 'list');
          for (const tab of root.querySelectorAll('.graphiql-tab')) {
            if (tab.getAttribute('role') !== 'listitem') tab.setAttribute('role', 'listitem');
            const selected = tab.getAttribute('aria-selected');
            if (selected === null) continue;
            tab.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', selected);
            tab.removeAttribute('aria-selected');
            tab.removeAttribute('aria-controls');
          }
        };
        const attributeFilter = ['role', 'aria-selected'];
        new MutationObserver(change).observe(root, { childList: true, subtree: true, attributes: true, attributeFilter });
        change();
      })(document.querySelector('#root'));`
