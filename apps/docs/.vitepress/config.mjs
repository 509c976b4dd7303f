import { transformerStyleToClass } from '@shikijs/transformers'
import { defineConfig } from 'vitepress'
import { finishSite } from '../scripts/finishSite.mjs'
import { slugify } from '../scripts/places.mjs'
import { addRunLinks } from '../scripts/runLinks.mjs'
import { sidebar } from './sidebar.mjs'

// The content security policy allows no style attributes.
const colours = transformerStyleToClass({ classPrefix: 'code-' })

export default defineConfig({
  title: 'Portolan',
  description: 'One GraphQL API over chain indexers and a cross-chain router',
  lang: 'en',
  base: '/docs/',
  srcDir: 'pages',
  outDir: '../../dist/docs',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // The policy does not allow the style element that would stop transitions meanwhile.
  appearance: { disableTransition: false },
  metaChunk: true,
  ignoreDeadLinks: false,
  markdown: {
    // The default theme has the fields of GraphQL in the colour of faults.
    theme: { light: 'light-plus', dark: 'dark-plus' },
    // Four of its colours are too pale on the grey of a block.
    colorReplacements: {
      'light-plus': { '#098658': '#07744c', '#267f99': '#1f6c83', '#e50000': '#b80000', '#ee0000': '#b80000' },
    },
    anchor: { slugify },
    codeTransformers: [colours],
    config: addRunLinks,
  },
  themeConfig: {
    search: { provider: 'local', options: { detailedView: true } },
    outline: [2, 3],
    sidebar,
    nav: [
      { text: 'Start', link: '/' },
      { text: 'Guides', link: '/guides/react', activeMatch: '/guides/' },
      { text: 'Schema', link: '/schema/', activeMatch: '/schema/' },
      { text: 'Operating', link: '/operating/settings', activeMatch: '/operating/' },
      { text: 'Changelog', link: '/changelog' },
    ],
  },
  vite: {
    // A data URL would not be allowed by the content security policy.
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4_000 },
  },
  buildEnd: ({ outDir, srcDir }) => finishSite({ outDir, srcDir, css: colours.getCSS() }),
})
