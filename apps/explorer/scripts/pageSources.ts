import { type PageName, pageNames } from '../src/app/pages.ts'

/** The name of the component of a page. */
const componentOf = (page: PageName): string => page.charAt(0).toUpperCase() + page.slice(1)

/** The source file of a page. */
export const sourceOf = (page: PageName): string => `src/pages/${page}/${componentOf(page)}.tsx`

/** `src/generated/lazyPages.ts`: how each page is loaded. The home page comes with the frame of all pages. */
export const lazyPagesText = (): string => `// Written by \`npm run generate\`, from the table of \`src/app/pages.ts\`.
import { lazyPage } from '../parts/lazyPage.tsx'

export const lazyPages = {
${pageNames
  .filter((page) => page !== 'home')
  .map((page) => {
    const path = sourceOf(page).replace(/^src/, '..')
    return `  ${page}: lazyPage(() => import('${path}').then((page) => page.${componentOf(page)})),\n`
  })
  .join('')}}
`
