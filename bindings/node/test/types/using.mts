// Checked by Deno's TypeScript, never run: what Debian's cannot read yet.
import { Config, Engine, Feed } from 'plotengine';

using engine = new Engine();
await using config = Config.parse('{}');
using feed: Feed = Feed.load('feed.json');
engine.init(config).setFeed(feed);
