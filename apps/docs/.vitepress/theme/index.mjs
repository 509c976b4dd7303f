import Theme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import './style.css'

/** Links to what the same server has beside these pages. They leave the site, so the router must not take them. */
const doors = () => [
  h('a', { class: 'door', href: '/', target: '_self' }, 'Explorer'),
  h('a', { class: 'door', href: '/graphql', target: '_self' }, 'GraphiQL'),
]

export default {
  extends: Theme,
  Layout: () =>
    h(Theme.Layout, null, {
      'nav-bar-content-after': doors,
      'nav-screen-content-after': () => h('div', { class: 'nav-doors' }, doors()),
    }),
}
