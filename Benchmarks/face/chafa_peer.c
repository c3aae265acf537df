/* libchafa's block mode on the same pictures: raw RGB on standard input, one line out: milliseconds of CPU a frame (of all
 * its threads), bytes a frame. Usage: chafa_peer WIDTH HEIGHT COLUMNS ROWS WORK */
#include <chafa.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    if (argc != 6)
        return 64;
    int width = atoi(argv[1]), height = atoi(argv[2]), columns = atoi(argv[3]), rows = atoi(argv[4]);
    ChafaSymbolMap *symbols = chafa_symbol_map_new();
    chafa_symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_BLOCK | CHAFA_SYMBOL_TAG_SPACE);
    ChafaCanvasConfig *config = chafa_canvas_config_new();
    chafa_canvas_config_set_geometry(config, columns, rows);
    chafa_canvas_config_set_cell_geometry(config, 10, 20);
    chafa_canvas_config_set_canvas_mode(config, CHAFA_CANVAS_MODE_TRUECOLOR);
    chafa_canvas_config_set_symbol_map(config, symbols);
    chafa_canvas_config_set_work_factor(config, atof(argv[5]));
    ChafaTermDb *database = chafa_term_db_get_default();
    ChafaTermInfo *terminal = chafa_term_db_get_fallback_info(database);
    size_t size = (size_t)width * height * 3;
    unsigned char *pixels = malloc(size);
    FILE *sink = fopen("/dev/null", "w");
    ChafaCanvas *canvas = chafa_canvas_new(config);
    double used = 0;
    long frames = 0, bytes = 0;
    while (fread(pixels, 1, size, stdin) == size) {
        double start = now();
        chafa_canvas_draw_all_pixels(canvas, CHAFA_PIXEL_RGB8, pixels, width, height, width * 3);
        GString *text = chafa_canvas_print(canvas, terminal);
        fwrite(text->str, 1, text->len, sink);
        fflush(sink);
        used += now() - start;
        bytes += text->len;
        frames++;
        g_string_free(text, TRUE);
    }
    if (frames == 0)
        return 66;
    printf("%f %ld\n", used / frames * 1000, bytes / frames);
    return 0;
}
