import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** Where the pages find their records in the sandbox. */
export const account = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'
export const hash = '82F15C4FB1E4A968B5F5F74298DE224C3FA5BC4D68ED00778222E5F6DCB5CA39'
export const transfer = '5AB1F6D0C3E94872B1D0A6F35E7C2984D6013FAE8B527C49E0D3915F7A264B01'

/** Widths in pixels and themes in which readers see the pages. */
export const screens = [
  [1_440, 'light'],
  [1_440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const

/** Shows a page at a width and in a theme. */
export async function setScreen(page: Page, [width, colorScheme]: (typeof screens)[number]): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
}

/** A time as a field for times has it: in the time zone of this machine, which is the browser's too. */
export const localTime = (time: number): string =>
  new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

const args = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--no-first-run'],
]

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args })

/** A page of a new visitor, what went wrong in it, and each host that it asked. */
export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  readonly faults: readonly string[]
  readonly hosts: ReadonlySet<string>
  /** Waits until a text is shown. */
  readonly shows: (text: string | RegExp) => Promise<void>
}

export async function startVisit(browser: Browser): Promise<Visit> {
  const faults: string[] = []
  const hosts = new Set<string>()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (entry) => {
    if (['error', 'warning'].includes(entry.type())) {
      faults.push(`${entry.text()} (${entry.location().url})`)
    }
  })
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  const shows = (text: string | RegExp) => page.getByText(text).first().waitFor()
  return { context, page, faults, hosts, shows }
}

/** Follows a link to a path. The page before is gone when the promise resolves. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((href) => {
    for (const part of document.querySelectorAll<HTMLElement>('main > *')) part.dataset.left = ''
    const link = Object.assign(document.createElement('a'), { href })
    document.body.append(link)
    link.click()
    link.remove()
  }, path)
  await page.waitForFunction(() => document.querySelector('main > :not([data-left])'))
  await page.waitForFunction(() => !document.querySelector('main > [data-left]'))
}

/** Ends a visit. A response that is still being changed for the page counts no more. */
export async function endVisit({ context }: Pick<Visit, 'context'>): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
  await context.close()
}
