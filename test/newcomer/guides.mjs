// The guides for frontends: a new project by each, which is built and opened in a browser while its gateway is killed.
import { open, openBrowser } from './browser.mjs'
import { blocksOf, follow, write } from './page.mjs'
import { besideClone, change, firstAnswer, freePort, home, startByNpx } from './place.mjs'
import { run } from './processes.mjs'
import { step } from './step.mjs'

/** Components that a page shows without the name of a file. */
const componentsOf = (page) =>
  blocksOf(page)
    .filter(({ language, file }) => language === 'tsx' && !file)
    .map(({ text }, index) => ({ file: `src/${page.replace(/\W/g, '')}${index}.tsx`, text }))

/** It ends only when it is told to: what was built is opened instead. */
const development = /^npm run dev/

export const guides = ['react', 'apollo', 'urql', 'vue', 'svelte']

/** The projects that these guides lead to, by the names of the guides. */
async function build(names) {
  const projects = {}
  for (const guide of names) {
    await step(`docs/guides/${guide}.md: a new project, until it is built`, async () => {
      const folder = guide === 'react' ? home : besideClone(guide)
      projects[guide] = await follow(`docs/guides/${guide}.md`, { folder, change, skip: development })
    })
  }
  if (!projects.react) return projects
  await step('the components of both READMEs compile in the project of the React guide', async () => {
    const components = ['README.md', 'packages/client/README.md'].flatMap(componentsOf)
    for (const { file, text } of components) write(projects.react, file, text)
    await run('npm', ['run', 'build'], { cwd: projects.react })
    return `${components.length} components`
  })
  return projects
}

export async function checkGuides(gateway, names = guides) {
  const projects = await build(names)
  const browser = await openBrowser()
  const pages = []
  for (const [guide, folder] of Object.entries(projects)) {
    await step(`docs/guides/${guide}.md: its page shows live rows, and older ones`, async () => {
      const page = await open(browser, guide, folder, await freePort())
      await page.wait('live blocks', async () => (await page.heights()).length > 1)
      await page.readOn()
      pages.push({ page, before: (await page.heights())[0] })
    })
  }
  await step('the gateway is killed and started again', async () => {
    await gateway.stop('SIGKILL')
    return firstAnswer(startByNpx())
  })
  for (const { page, before } of pages) {
    await step(`docs/guides/${page.name}.md: its page goes on without a missing block`, async () => {
      const heights = await page.wait('newer blocks', async () => {
        const shown = await page.heights()
        return shown[0] > before + 5 && shown
      })
      const hole = heights.findIndex((height, index) => height !== heights[0] - index)
      if (hole >= 0) throw new Error(`after ${heights[hole - 1]} comes ${heights[hole]}`)
      return `${heights.at(-1)} to ${heights[0]}`
    })
  }
  await browser.close()
}
