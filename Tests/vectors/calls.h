/* Made from docs/calls.json by scripts/call_tables.py: do not edit. */

/* Takes an input that bindings only hand over; false for all others. */
static bool handed_over(run *run, const char *name, json_t *value, int64_t time, int32_t *status, plot_error **error) {
    if (strcmp(name, "foreground") == 0) {
        check_keys(value, " time value ");
        *status = plot_engine_set_foreground(run->engine, time, flag_of(value, "value"), error);
        return true;
    }
    if (strcmp(name, "network") == 0) {
        check_keys(value, " time value ");
        *status = plot_engine_set_network(run->engine, time, flag_of(value, "value"), error);
        return true;
    }
    if (strcmp(name, "clearAllData") == 0) {
        check_keys(value, " time ");
        *status = plot_engine_clear_all_data(run->engine, time, error);
        return true;
    }
    return false;
}
