import type { ResumeRules } from '@portolan/client'

export const resumes: ResumeRules = {
  "LiveActivity": {
    "cursor": "activity.cursor",
    "variable": "after",
    "notice": "activity.notice",
    "kind": "activity.notice.kind"
  },
  "LiveBlocks": {
    "cursor": "blocks.cursor",
    "variable": "after",
    "notice": "blocks.notice",
    "kind": "blocks.notice.kind"
  },
  "Heads": {},
  "HeadHeights": {},
  "AwaitTransaction": {},
  "Transfer": {}
}
