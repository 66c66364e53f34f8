/* The effects of the lives must fit: events without a gap, each once; lists, counters and open batches as these events and the
 * acknowledged calls make them. */
#define _GNU_SOURCE
#include "life.h"

#include <plotengine.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fault(struct model *m, const char *format, ...) {
    if (*m->fault) return 0;
    va_list list;
    va_start(list, format);
    vsnprintf(m->fault, sizeof m->fault, format, list);
    va_end(list);
    return 0;
}

/* ---- Lists */

static int find(const struct list *list, const char *match) {
    for (int i = 0; i < list->count; i++)
        if (!strcmp(list->items[i].match, match)) return i;
    return -1;
}

static void take_out(struct list *list, int at) {
    if (at < 0) return;
    memmove(&list->items[at], &list->items[at + 1], sizeof list->items[0] * (size_t)(list->count - at - 1));
    list->count--;
}

static void add(struct list *list, const char *match, uint64_t hash) {
    if (list->count == 100) take_out(list, 0);
    struct listed *item = &list->items[list->count++];
    memset(item, 0, sizeof *item);
    snprintf(item->match, sizeof item->match, "%s", match);
    item->hash = hash;
}

/* ---- Shows */

static struct show *show_of(struct model *m, const char *match) {
    if (!m->index || m->show_count * 2 > m->show_room) {
        m->show_room = m->show_room ? m->show_room * 2 : 1024;
        m->shows = realloc(m->shows, sizeof *m->shows * (size_t)m->show_room);
        free(m->index);
        m->index = malloc(sizeof *m->index * (size_t)m->show_room * 2);
        memset(m->index, 0xff, sizeof *m->index * (size_t)m->show_room * 2);
        for (int i = 0; i < m->show_count; i++) {
            uint64_t at = 0;
            for (const char *c = m->shows[i].match; *c; c++) at = at * 31 + (unsigned char)*c;
            for (at %= (uint64_t)m->show_room * 2; m->index[at] >= 0; at = (at + 1) % ((uint64_t)m->show_room * 2)) {}
            m->index[at] = i;
        }
    }
    uint64_t at = 0;
    for (const char *c = match; *c; c++) at = at * 31 + (unsigned char)*c;
    for (at %= (uint64_t)m->show_room * 2; m->index[at] >= 0; at = (at + 1) % ((uint64_t)m->show_room * 2))
        if (!strcmp(m->shows[m->index[at]].match, match)) return &m->shows[m->index[at]];
    m->index[at] = m->show_count;
    struct show *show = &m->shows[m->show_count++];
    memset(show, 0, sizeof *show);
    snprintf(show->match, sizeof show->match, "%s", match);
    return show;
}

static struct token *token_of(struct model *m, uint64_t token) {
    for (int i = m->token_count - 1; i >= 0; i--)
        if (m->tokens[i].token == token) return &m->tokens[i];
    return NULL;
}

static int region_of(struct model *m, const char *id) {
    for (int i = 0; i < m->region_count; i++)
        if (!strcmp(m->regions[i].id, id)) return i;
    snprintf(m->regions[m->region_count].id, sizeof m->regions[0].id, "%.7s", id);
    return m->region_count++;
}

static int is_unsure(struct model *m, const char *kind, const char *a, const char *b) {
    for (int i = 0; i < m->unsure_count; i++)
        if (!strcmp(m->unsure[i].kind, kind) && (!a || !strcmp(m->unsure[i].a, a)) && (!b || !strcmp(m->unsure[i].b, b)))
            return 1;
    return 0;
}

/* ---- What was done */

static void done(struct model *m, const struct doing *op) {
    if (!strcmp(op->kind, "property")) {
        snprintf(m->properties[atoi(op->a)], sizeof m->properties[0], "%s", op->b);
    } else if (!strcmp(op->kind, "clears")) {
        m->sent.count = 0;
    } else if (!strcmp(op->kind, "clearg")) {
        m->geotriggers.count = 0;
    } else if (!strcmp(op->kind, "cooldown")) {
        m->cooldown = atoll(op->a);
    } else if (!strcmp(op->kind, "list")) {
        m->list_version = atoll(op->a);
    } else if (!strcmp(op->kind, "taken")) {
        m->taken = atoll(op->a);
    } else if (!strcmp(op->kind, "feed")) {
        m->feed = atoi(op->a);
        if (!m->feed) m->regions[region_of(m, "x")].is_inside = 0;
    } else if (!strcmp(op->kind, "answer")) {
        struct token *token = token_of(m, strtoull(op->a, NULL, 10));
        if (token) token->state = 1;
    }
}

static int shown(struct model *m, const char *match, const char *name, int64_t revision, int is_recovered) {
    struct show *show = show_of(m, match);
    if (show->events++) return fault(m, "%s (%s) was shown a second time", match, name);
    if (!is_recovered && !show->is_ok) return fault(m, "%s (%s) counts as shown and was not", match, name);
    if (is_recovered) m->recovered++;
    snprintf(show->name, sizeof show->name, "%s", name);
    show->revision = revision;
    int is_message = !strchr(name, ';');
    for (int i = 0; i < m->show_count; i++) {
        const struct show *other = &m->shows[i];
        if (other == show || !other->events || strcmp(other->name, name)) continue;
        if (!strncmp(name, "once;", 5)) return fault(m, "%s was shown a second time, as %s", name, match);
        if (is_message && other->revision == revision)
            return fault(m, "message %s, revision %lld, was shown a second time", name, (long long)revision);
    }
    if (!strncmp(name, "cap;", 4)) {
        /* One that a start finds, and that nobody was given, was shown some time since the store was written last. */
        if (!show->calls) show->mono = m->mono, show->earliest = m->lived;
        /* Of those before, the last but one. */
        if (m->capped[0] && show->mono - m->shows[m->capped[0] - 1].earliest < 900000)
            return fault(m, "three of the capped campaign in %lld s", (long long)(show->mono - m->shows[m->capped[0] - 1].earliest) / 1000);
        m->capped[0] = m->capped[1];
        m->capped[1] = (int)(show - m->shows) + 1;
    }
    m->shown++;
    m->campaign_shown += !is_message;
    add(&m->sent, match, show->calls ? show->hash : 0);
    add(&m->displayed, match, 0);
    return 1;
}

static int event(struct model *m, const char *line) {
    long long sequence, revision;
    unsigned long long hash;
    char name[48], region[16], ordinal[16], recovered[16], match[40], identifier[64];
    if (sscanf(line, "E %lld %llu %47s %15s %15s %15s %39s %63s %lld", &sequence, &hash, name, region, ordinal, recovered,
               match, identifier, &revision) != 9)
        return fault(m, "cannot be read: %s", line);
    if (m->told_now && sequence != m->told_now + 1)
        return fault(m, "event %lld came after event %lld", sequence, (long long)m->told_now);
    m->told_now = sequence;
    if (sequence <= m->sequence) {
        m->delivered_again++;
        return m->hashes[sequence] == hash || fault(m, "event %lld came again with other content", sequence);
    }
    if (sequence != m->sequence + 1)
        return fault(m, "event %lld came, and the newest before was %lld", sequence, (long long)m->sequence);
    if (sequence >= m->sequence_room) {
        m->sequence_room = sequence * 2 + 64;
        m->hashes = realloc(m->hashes, sizeof *m->hashes * (size_t)m->sequence_room);
    }
    m->sequence = sequence;
    m->hashes[sequence] = hash;
    if (!strcmp(name, "region-enter") || !strcmp(name, "region-inside")) {
        int at = region_of(m, region);
        if (m->regions[at].is_inside) return fault(m, "%s was entered twice", region);
        if (atoll(ordinal) != m->regions[at].ordinal + 1)
            return fault(m, "visit %s of %s follows visit %lld", ordinal, region, (long long)m->regions[at].ordinal);
        m->regions[at].ordinal++;
        m->regions[at].is_inside = 1;
    } else if (!strcmp(name, "region-exit")) {
        int at = region_of(m, region);
        if (!m->regions[at].is_inside) return fault(m, "%s was left without being entered", region);
        m->regions[at].is_inside = 0;
    } else if (!strcmp(name, "notification-shown")) {
        return shown(m, match, identifier, revision, !strcmp(recovered, "true"));
    } else if (!strcmp(name, "notification-failed")) {
        /* When it comes again it may have another text. */
        struct show *show = show_of(m, match);
        if (show->is_ok) return fault(m, "%s was shown, and counts as failed", match);
        show->calls = 0;
    } else if (!strcmp(name, "notification-opened")) {
        int at = find(&m->sent, match);
        if (at >= 0) m->sent.items[at].mark = 1;
        take_out(&m->displayed, find(&m->displayed, match));
    } else if (!strcmp(name, "notification-dismissed") || !strcmp(name, "notification-removed")) {
        take_out(&m->displayed, find(&m->displayed, match));
    } else if (!strcmp(name, "geotrigger")) {
        int at = find(&m->geotriggers, match);
        if (at >= 0 && m->geotriggers.items[at].mark) return fault(m, "%s was handled twice", match);
        /* One that was cleared away meanwhile is in the list again. */
        if (at < 0) {
            add(&m->geotriggers, match, 0);
            at = m->geotriggers.count - 1;
        }
        m->geotriggers.items[at].mark = 1;
    }
    return 1;
}

static int asked(struct model *m, char *line) {
    char *rest = line + 2;
    uint64_t number = strtoull(rest, &rest, 10);
    int is_geotrigger = (int)strtol(rest, &rest, 10);
    long count = strtol(rest, &rest, 10);
    struct token *token = token_of(m, number);
    int is_new = !token;
    if (is_new) {
        if (m->token_count == m->token_room) {
            m->token_room = m->token_room * 2 + 64;
            m->tokens = realloc(m->tokens, sizeof *m->tokens * (size_t)m->token_room);
        }
        token = &m->tokens[m->token_count++];
        memset(token, 0, sizeof *token);
        token->token = number;
        token->is_geotrigger = is_geotrigger;
        token->count = (int)count;
    } else if (token->state == 1) {
        return fault(m, "batch %llu was offered again after its answer", (unsigned long long)number);
    } else {
        m->offered_again++;
    }
    token->state = 0;
    token->is_offered = 1;
    if (count != token->count || count > 40) return fault(m, "batch %llu has other items", (unsigned long long)number);
    char *save = NULL;
    long i = 0;
    for (char *match = strtok_r(rest, " ", &save); match; match = strtok_r(NULL, " ", &save), i++) {
        if (!is_new && strcmp(token->matches[i], match))
            return fault(m, "batch %llu has another item", (unsigned long long)number);
        snprintf(token->matches[i], sizeof token->matches[i], "%s", match);
        if (is_new && is_geotrigger) {
            if (find(&m->geotriggers, match) >= 0) return fault(m, "geotrigger %s was offered in two batches", match);
            add(&m->geotriggers, match, 0);
        }
    }
    return i == count || fault(m, "batch %llu has not as many items as it says", (unsigned long long)number);
}

/* ---- The dump */

static int compare(struct model *m, const char *name, struct list *here, const struct list *found) {
    if (found->count != here->count)
        return fault(m, "the list of %s has %d items, expected %d", name, found->count, here->count);
    for (int i = 0; i < here->count; i++) {
        const struct listed *a = &here->items[i], *b = &found->items[i];
        if (strcmp(a->match, b->match)) return fault(m, "item %d of %s is %s, expected %s", i, name, b->match, a->match);
        if (a->mark != b->mark)
            return fault(m, "item %s of %s is %d, expected %d (opened or handled)", b->match, name, b->mark, a->mark);
        if (a->hash && a->hash != b->hash) return fault(m, "item %s of %s has another text than was shown", b->match, name);
    }
    return 1;
}

struct dump { struct list sent, geotriggers, displayed; int visits; int64_t listed; };

static int dumped(struct model *m, char *line, struct dump *d) {
    char a[40];
    int mark = 0;
    unsigned long long hash = 0;
    long long number;
    *a = 0;
    switch (line[1]) {
        case 's':
        case 'g':
        case 'd': {
            sscanf(line + 3, "%39s %d %llu", a, &mark, &hash);
            struct list *list = line[1] == 's' ? &d->sent : line[1] == 'g' ? &d->geotriggers : &d->displayed;
            if (list->count >= 100) return fault(m, "a list has more than 100 items");
            add(list, a, hash);
            list->items[list->count - 1].mark = mark;
            return 1;
        }
        case 'v': {
            sscanf(line + 3, "%39s %lld", a, &number);
            int at = region_of(m, a);
            d->visits++;
            if (!strcmp(a, "x") && m->regions[at].is_inside == 0 && is_unsure(m, "feed", NULL, NULL)) return 1;
            return (m->regions[at].is_inside && m->regions[at].ordinal == number)
                   || fault(m, "a visit %lld of %s that nobody heard of", number, a);
        }
        case 'p': {
            int at;
            sscanf(line + 3, "%d %39s", &at, a);
            char key[8];
            snprintf(key, sizeof key, "%d", at);
            if (strcmp(a, *m->properties[at] ? m->properties[at] : "-") && !is_unsure(m, "property", key, a))
                return fault(m, "property k%d is %s, expected %s", at, a, m->properties[at]);
            snprintf(m->properties[at], sizeof m->properties[0], "%.23s", a);
            return 1;
        }
        case 'l':
        case 'c': {
            sscanf(line + 3, "%39s", a);
            number = atoll(a);
            int64_t *here = line[1] == 'l' ? &m->list_version : &m->cooldown;
            if (number != *here && !is_unsure(m, line[1] == 'l' ? "list" : "cooldown", a, NULL))
                return fault(m, "%s is %lld, expected %lld", line[1] == 'l' ? "the list" : "the cooldown", number,
                             (long long)*here);
            *here = number;
            return 1;
        }
        case 'o': {
            long long lost, waiting;
            sscanf(line + 3, "%39s %lld %lld", a, &lost, &waiting);
            number = atoll(a);
            if (number != m->taken && !is_unsure(m, "taken", a, NULL) && !(m->loses_power && number < m->taken))
                return fault(m, "the app has events up to %lld, expected %lld", number, (long long)m->taken);
            m->taken = d->listed = number;
            return (lost == 0 && waiting == m->sequence - number)
                   || fault(m, "%lld events wait and %lld are lost, of those from %lld to %lld", waiting, lost, number + 1,
                            (long long)m->sequence);
        }
        case 'e': {
            sscanf(line + 3, "%lld %llu", &number, &hash);
            if (number != ++d->listed) return fault(m, "event %lld is listed after %lld", number, (long long)d->listed - 1);
            return m->hashes[number] == hash || fault(m, "event %lld is listed with other content", number);
        }
        case 'f': {
            static const int counts[3] = {9, 10, 11};
            number = atoll(line + 3);
            int variant = number == counts[0] ? 0 : number == counts[1] ? 1 : 2;
            snprintf(a, sizeof a, "%d", variant);
            if (variant != m->feed) {
                if (!is_unsure(m, "feed", a, NULL)) return fault(m, "feed %d is in force, expected %d", variant, m->feed);
                struct doing op = {0, "feed", "", ""};
                snprintf(op.a, sizeof op.a, "%d", variant);
                done(m, &op);
            }
            return 1;
        }
        case 't': {
            unsigned long long token;
            int status;
            sscanf(line + 3, "%llu %d", &token, &status);
            struct token *here = token_of(m, token);
            if (!here) return fault(m, "batch %llu is known and nobody heard of it", token);
            if (here->state == 0 && status != 0)
                return fault(m, "batch %llu has no answer, and is closed (%d)", token, status);
            if (here->state == 1 && status != 17) return fault(m, "batch %llu is answered, and is open (%d)", token, status);
            if (here->state == 2) here->state = status == 17;
            return 1;
        }
        case 'k':
            number = atoll(line + 3);
            return number == m->shown
                   || fault(m, "the strategy has counted %lld shown, expected %lld", number, (long long)m->shown);
    }
    return fault(m, "cannot be read: %s", line);
}

/* Events that have come since are there; one that was handled since has come again, behind. */
static void cleared(struct list *here, const struct list *found) {
    if (found->count >= here->count) return;
    struct list left;
    memset(&left, 0, sizeof left);
    for (int i = 0; i < found->count; i++) {
        int at = find(here, found->items[i].match);
        if (at < 0 || here->items[at].mark != found->items[i].mark) return;
        left.items[left.count++] = here->items[at];
    }
    *here = left;
}

static int end_of_dump(struct model *m, struct dump *d) {
    m->dumps++;
    /* A clearing that was going on has happened, or not. */
    if (is_unsure(m, "clears", NULL, NULL)) cleared(&m->sent, &d->sent);
    if (is_unsure(m, "clearg", NULL, NULL)) cleared(&m->geotriggers, &d->geotriggers);
    if (!compare(m, "sent notifications", &m->sent, &d->sent)) return 0;
    if (!compare(m, "sent geotriggers", &m->geotriggers, &d->geotriggers)) return 0;
    if (!compare(m, "displayed notifications", &m->displayed, &d->displayed)) return 0;
    int inside = 0;
    for (int i = 0; i < m->region_count; i++) inside += m->regions[i].is_inside;
    /* A feed without the region, and one with it again, may both have been taken. */
    if (inside == d->visits + 1 && is_unsure(m, "feed", "0", NULL) && m->regions[region_of(m, "x")].is_inside) {
        m->regions[region_of(m, "x")].is_inside = 0;
        inside--;
    }
    if (inside != d->visits) return fault(m, "%d visits are on, expected %d", d->visits, inside);
    for (int i = 0; i < m->show_count; i++)
        if (m->shows[i].is_ok && !m->shows[i].events)
            return fault(m, "%s was shown, and no event says so", m->shows[i].match);
    for (int i = 0; i < m->token_count; i++)
        if (m->tokens[i].state == 0 && !m->tokens[i].is_offered)
            return fault(m, "batch %llu has no answer, and was not offered again", (unsigned long long)m->tokens[i].token);
    m->unsure_count = 0;
    return 1;
}

/* ---- */

int model_take(struct model *m, const char *text, size_t length) {
    struct dump d;
    int is_dumping = 0;
    memset(&d, 0, sizeof d);
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        if (!end) break;
        char line[8192];
        snprintf(line, sizeof line, "%.*s", (int)(end - (text + at)), text + at);
        at = (size_t)(end - text) + 1;
        m->at = at;
        int ok = 1;
        switch (line[0]) {
            case 'L':
                m->told_now = 0;
                for (int i = 0; i < m->token_count; i++) m->tokens[i].is_offered = 0;
                break;
            case 'B': {
                struct doing *op = &m->doing[m->doing_count++];
                long long mono;
                memset(op, 0, sizeof *op);
                sscanf(line + 2, "%ld %lld %11s %23s %23s", &op->id, &mono, op->kind, op->a, op->b);
                m->mono = mono;
                if (m->doing_count > 7) ok = fault(m, "too many calls in each other");
                break;
            }
            case 'R': {
                long id;
                int status;
                sscanf(line + 2, "%ld %d", &id, &status);
                if (!m->doing_count || m->doing[m->doing_count - 1].id != id) {
                    ok = fault(m, "call %ld ends and was not the last that began", id);
                    break;
                }
                struct doing op = m->doing[--m->doing_count];
                if (status == 0) {
                    m->acknowledged++;
                    done(m, &op);
                } else if (status == PLOT_STORE_IN_DOUBT) {
                    m->in_doubts++;
                    m->in_doubt[m->in_doubt_count++ % 256] = op;
                }
                /* A notification that is shown during a call has its time when it is taken, and else that of the one before. */
                if (m->doing_count || status) break;
                m->accepted = m->mono;
                /* A change that a later start finds may be of this call, though it was not refused: the disk may have failed after its last wait. */
                if (strcmp(op.kind, "clock") && strcmp(op.kind, "init")) m->lived = m->mono;
                for (int i = m->show_count; i-- > 0 && i >= m->show_count - 100;)
                    if (m->shows[i].calls && m->shows[i].mono == m->mono) m->shows[i].earliest = m->mono;
                break;
            }
            case 'S': {
                char match[40], name[64];
                long long revision;
                unsigned long long hash;
                int status;
                sscanf(line + 2, "%39s %63s %lld %llu %d", match, name, &revision, &hash, &status);
                struct show *show = show_of(m, match);
                if (show->is_ok || show->events) {
                    ok = fault(m, "%s (%s) was given to the host to show after it had been shown", match, name);
                    break;
                }
                show->calls++;
                show->hash = hash;
                show->is_ok = status == 0;
                show->mono = m->mono;
                show->earliest = m->accepted;
                m->acknowledged++;
                break;
            }
            case 'E': ok = event(m, line); break;
            case 'F': ok = asked(m, line); break;
            case 'D':
                if (line[1] == '.') {
                    is_dumping = 0;
                    ok = end_of_dump(m, &d);
                } else {
                    is_dumping = 1;
                    memset(&d, 0, sizeof d);
                }
                break;
            case 'd':
                if (is_dumping) ok = dumped(m, line, &d);
                break;
            case '!': ok = fault(m, "a call: %s", line + 2); break;
            default: break;
        }
        if (!ok) return 0;
    }
    return 1;
}

static void end_unsure(struct model *m, const struct doing *op) {
    if (m->unsure_count < 300) m->unsure[m->unsure_count++] = *op;
    if (!strcmp(op->kind, "answer")) {
        struct token *token = token_of(m, strtoull(op->a, NULL, 10));
        if (token && token->state == 0) token->state = 2;
    }
}

void model_end(struct model *m) {
    for (int i = 0; i < m->doing_count; i++) end_unsure(m, &m->doing[i]);
    for (int i = 0; i < m->in_doubt_count && i < 256; i++) end_unsure(m, &m->in_doubt[i]);
    m->doing_count = m->in_doubt_count = 0;
}

void model_free(struct model *m) {
    free(m->shows);
    free(m->index);
    free(m->hashes);
    free(m->tokens);
    memset(m, 0, sizeof *m);
}

/* ---- The file */

static char *first(const char *path, const char *sql, char *out, size_t room) {
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    *out = 0;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        snprintf(out, room, "%s", (const char *)sqlite3_column_text(statement, 0));
    else
        snprintf(out, room, "error: %s", sqlite3_errmsg(database));
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return out;
}

void shown_before(const char *path, char *known, size_t room) {
    first(path,
          "SELECT coalesce(group_concat(line, char(10)), '') || char(10) FROM ("
          "SELECT match || ' ' || json_extract(item, '$.identifier') AS line FROM sent WHERE geotrigger = 0 "
          "UNION ALL SELECT '- ' || campaign || ';' || region FROM shown)",
          known, room);
}

const char *shown_again(const char *known, const char *text, size_t length, long *count) {
    static char found[200];
    for (const char *line = text; line < text + length; line = memchr(line, '\n', (size_t)(text + length - line)) + 1) {
        char match[40], name[64], first_word[48], last_word[72];
        if (sscanf(line, "S %39s %63s", match, name) != 2) continue;
        ++*count;
        snprintf(first_word, sizeof first_word, "%s ", match);
        snprintf(last_word, sizeof last_word, " %s\n", name);
        if (!strstr(known, first_word) && (strncmp(name, "once;", 5) || !strstr(known, last_word))) continue;
        snprintf(found, sizeof found, "%s (%s)", match, name);
        return found;
    }
    return NULL;
}

const char *integrity(const char *path) {
    static char text[200];
    return first(path, "PRAGMA integrity_check", text, sizeof text);
}

int model_check_file(struct model *m, const char *path) {
    char text[400], wanted[400];
    if (strcmp(integrity(path), "ok")) return fault(m, "PRAGMA integrity_check: %s", integrity(path));
    struct { const char *what, *sql; int64_t expected; } rows[] = {
        {"the sequence", "SELECT coalesce(max(value), 0) FROM setting WHERE key = 'sequence'", m->sequence},
        {"events that wait for the app", "SELECT count(*) FROM outbox", m->sequence - m->taken},
        {"notifications without an answer", "SELECT count(*) FROM intent", 0},
        {"sent notifications", "SELECT count(*) FROM sent WHERE geotrigger = 0", m->sent.count},
        {"sent geotriggers", "SELECT count(*) FROM sent WHERE geotrigger = 1", m->geotriggers.count},
        {"displayed", "SELECT count(*) FROM displayed", m->displayed.count},
        {"displays that caps count", "SELECT count(*) FROM display", m->shown > 10000 ? 10000 : m->shown},
        {"a state of the strategy", "SELECT coalesce(max(CAST(state AS INTEGER)), 0) FROM strategy WHERE key = 'torture.count'", m->shown},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        first(path, rows[i].sql, text, sizeof text);
        if (atoll(text) != rows[i].expected || !strncmp(text, "error", 5))
            return fault(m, "the file has %s for %s, expected %lld", text, rows[i].what, (long long)rows[i].expected);
    }
    int64_t open = 0;
    for (int i = 0; i < m->token_count; i++) open += m->tokens[i].state == 0;
    if (atoll(first(path, "SELECT count(*) FROM batch", text, sizeof text)) != open)
        return fault(m, "the file has %s open batches, expected %lld", text, (long long)open);
    first(path, "SELECT coalesce(group_concat(region || '=' || value, ' '), '') FROM (SELECT * FROM ordinal ORDER BY region)", text, sizeof text);
    *wanted = 0;
    static const char *const order[] = {"r0", "r1", "r2", "r3", "r4", "r5", "x"};
    for (int i = 0; i < 7; i++) {
        int at = region_of(m, order[i]);
        if (m->regions[at].ordinal)
            snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%s%s=%lld", *wanted ? " " : "", order[i],
                     (long long)m->regions[at].ordinal);
    }
    if (strcmp(wanted, text)) return fault(m, "the file has the ordinals %s, expected %s", text, wanted);
    return 1;
}
