/** The formats of a trend. */
import { renderTrendMarkdown } from './markdown.js';
import type { Trend } from './model.js';

export const TREND_FORMATS = ['html', 'json', 'markdown'] as const;

export async function renderTrend(trend: Trend, format: (typeof TREND_FORMATS)[number]): Promise<string> {
  switch (format) {
    case 'html':
      // Only loaded when asked for: it brings the parts of pages.
      return (await import('../html/trend-page.js')).renderTrendHtml(trend);
    case 'json':
      return `${JSON.stringify(trend, null, 2)}\n`;
    case 'markdown':
      return renderTrendMarkdown(trend);
  }
}
